"""Word counts from a sparse ARFF file as a scipy matrix, for the peers that take one."""

import numpy as np
from scipy.sparse import csr_matrix


def load(file):
    """Counts in CSR form and double precision, and the class as a code; where a row leaves it out it is the first."""
    with open(file) as lines:
        attributes = declarations(lines)
        classes = attributes[-1].split("{", 1)[1].rstrip("} \n").split(",")
        words = len(attributes) - 1
        starts, columns, counts, labels = [0], [], [], []
        for line in filter(str.strip, lines):
            entries = [entry.split(" ", 1) for entry in line.strip().strip("{}").split(",") if entry]
            label = entries.pop()[1] if entries and int(entries[-1][0]) == words else classes[0]
            columns += [int(column) for column, _ in entries]
            counts += [float(count) for _, count in entries]
            starts.append(len(columns))
            labels.append(classes.index(label))
    return csr_matrix((counts, columns, starts), shape=(len(labels), words)), np.array(labels, dtype=np.int32)


def declarations(lines):
    """The lines of the attributes; `lines` then stands before the first row."""
    found = []
    for line in lines:
        if line.lower().startswith("@data"):
            return found
        if line.lower().startswith("@attribute"):
            found.append(line)
    raise ValueError("no @data")
