//! The `quickset` command: arguments become a recipe, the library does the work, the result is printed.
//!
//! Results go to standard output, everything else to standard error. Exit 0 is done, 1 a failure in the work, 2 wrong
//! usage. Every subcommand is a file of its own with its arguments beside its code.

mod compare;
mod convert;
mod estimate;
mod evaluate;
mod explain;
mod failure;
mod generate;
mod info;
mod input;
mod interrupt;
mod learners;
mod list;
mod machine;
mod output;
mod predict;
mod progress;
mod recipe;
mod show;
mod study;
mod table;
mod train;

use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, Subcommand};

use output::Console;

/// A tree is thousands of small pieces of memory, made and given back: with this allocator the naive tree of a text takes a
/// fifth less time than with the system's.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Learns one decision tree a person can read.
#[derive(Parser)]
#[command(name = "quickset", version, max_term_width = 100)]
struct Arguments {
    /// How many threads to use [default: all cores]; the result does not depend on it
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Say nothing but results and errors
    #[arg(long, global = true)]
    quiet: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Train(train::Arguments),
    Predict(predict::Arguments),
    Show(show::Arguments),
    Explain(explain::Arguments),
    Evaluate(evaluate::Arguments),
    Compare(compare::Arguments),
    Study(study::Arguments),
    Learners(learners::Arguments),
    /// Look at data, convert them, or make some
    #[command(subcommand)]
    Data(DataCommand),
}

#[derive(Subcommand)]
enum DataCommand {
    Info(info::Arguments),
    Convert(convert::Arguments),
    Generate(generate::Arguments),
    List(list::Arguments),
}

fn main() -> ExitCode {
    let began = Instant::now();
    let arguments = Arguments::parse();
    let console = Console::new(arguments.quiet);
    match run(arguments, &console, began) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error, &console),
    }
}

fn run(arguments: Arguments, console: &Console, began: Instant) -> anyhow::Result<()> {
    if let Some(threads) = arguments.threads {
        rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build_global()?;
    }
    match arguments.command {
        Command::Train(arguments) => train::run(&arguments, console, began),
        Command::Predict(arguments) => predict::run(&arguments, console),
        Command::Show(arguments) => show::run(&arguments, console),
        Command::Explain(arguments) => explain::run(&arguments, console),
        Command::Evaluate(arguments) => evaluate::run(&arguments, console),
        Command::Compare(arguments) => compare::run(&arguments, console),
        Command::Study(arguments) => study::run(&arguments, console),
        Command::Learners(arguments) => learners::run(&arguments, console),
        Command::Data(DataCommand::Info(arguments)) => info::run(&arguments, console),
        Command::Data(DataCommand::Convert(arguments)) => convert::run(&arguments, console),
        Command::Data(DataCommand::Generate(arguments)) => generate::run(&arguments, console),
        Command::Data(DataCommand::List(arguments)) => list::run(&arguments, console),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        super::Arguments::command().debug_assert();
    }
}
