import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;
import weka.classifiers.trees.J48;
import weka.core.Instances;

/**
 * Trains Weka's J48 on request, in a warm JVM.
 *
 * <p>Arguments: ARFF file, ARFF file to warm up on, number of warm-up trainings, J48's own options. After the warm-up
 * it prints "ready"; then every line on standard input is answered by one training and one line of JSON. The harness
 * can so alternate between this process and another without losing the warmth.
 */
public final class TrainJ48 {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    public static void main(String[] args) throws Exception {
        Instances data = read(args[0]);
        Instances warm = args[1].equals(args[0]) ? data : read(args[1]);
        String[] options = Arrays.copyOfRange(args, 3, args.length);
        for (int i = 0; i < Integer.parseInt(args[2]); i++) {
            train(warm, options);
        }
        System.out.println("ready");
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in));
        while (requests.readLine() != null) {
            System.out.println(train(data, options));
        }
    }

    private static Instances read(String file) throws IOException {
        try (BufferedReader reader = new BufferedReader(new FileReader(file))) {
            Instances data = new Instances(reader);
            data.setClassIndex(data.numAttributes() - 1);
            return data;
        }
    }

    private static String train(Instances data, String[] options) throws Exception {
        J48 tree = new J48();
        tree.setOptions(options.clone()); // Weka blanks the options it has read
        System.gc(); // the garbage of the last training is not this one's cost
        long wall = System.nanoTime();
        long cpu = THREADS.getCurrentThreadCpuTime();
        tree.buildClassifier(data);
        double cpuSeconds = (THREADS.getCurrentThreadCpuTime() - cpu) / 1e9;
        double wallSeconds = (System.nanoTime() - wall) / 1e9;
        return String.format(
                Locale.ROOT,
                "{\"cpu_seconds\": %.6f, \"wall_seconds\": %.6f, \"leaves\": %.0f, \"size\": %.0f}",
                cpuSeconds,
                wallSeconds,
                tree.measureNumLeaves(),
                tree.measureTreeSize());
    }
}
