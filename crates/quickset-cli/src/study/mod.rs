//! `quickset study`: a paper's tables made again, with what it published beside what comes out here.

mod accuracy;
mod cost_model;
mod hyper;
mod lsid3;
mod published;
mod report;
mod scaling;
mod snbtree;
mod timing;
mod trial;

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, ValueEnum};
use quickset::{Error, ErrorKind};

use crate::failure::Usage;
use crate::machine::{command_line, processor};
use crate::output::{Console, print};
use report::Report;

/// Reproduce a paper's tables beside the published values
#[derive(Args)]
pub struct Arguments {
    /// The study
    #[arg(value_name = "NAME")]
    name: Name,

    /// The folder of the data sets, NAME.arff each
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// Write the report, the raw numbers and the call into this folder; a study that was stopped goes on from there
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,

    /// Fewer runs of the cross-validation than the paper's, for a first look; of nt-scaling fewer
    /// sizes, of cost-model fewer generated sets
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..=10))]
    runs: Option<u32>,

    #[command(flatten)]
    lsid3: lsid3::Options,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Name {
    /// The naive tree beside C4.5 and naive Bayes on 33 UCI sets (Su and Zhang 2006)
    #[value(name = "nt-uci")]
    Uci,
    /// The same on the sets of words in texts
    #[value(name = "nt-text")]
    Text,
    /// The naive tree's time against rows and attributes
    #[value(name = "nt-scaling")]
    Scaling,
    /// Tests, cuts, measures, stopping and pruning compared (Martin and Hirschberg 1995)
    Hyper,
    /// What growing and pruning cost, and the formulas for it, fitted anew (Martin and Hirschberg 1995)
    CostModel,
    /// C4.5, NBTree and Self-adaptive NBTree
    Snbtree,
    /// Look-ahead by sampled trees beside ID3 and C4.5, and trees against time (Esmeir 2008)
    Lsid3,
}

/// Makes the study, prints its report, and writes it where a folder is named.
pub fn run(arguments: &Arguments, console: &Console) -> Result<()> {
    if arguments.lsid3.are_given() && arguments.name != Name::Lsid3 {
        return Err(Usage("--seconds, --seeds and --sets are for study lsid3".into()).into());
    }
    if let Some(folder) = &arguments.output {
        std::fs::create_dir_all(folder).map_err(|error| Error::io(folder, &error))?;
    }
    let output = arguments.output.as_deref();
    let runs = arguments.runs.map(|runs| runs as usize);
    let report = match arguments.name {
        Name::Uci => accuracy::run(&accuracy::UCI, data(arguments)?, output, runs, console)?,
        Name::Text => accuracy::run(&accuracy::TEXT, data(arguments)?, output, runs, console)?,
        Name::Scaling => scaling::run(output, runs, console)?,
        Name::Hyper => hyper::run(data(arguments)?, output, runs, console)?,
        Name::Snbtree => snbtree::run(data(arguments)?, output, runs, console)?,
        Name::CostModel => cost_model::run(data(arguments)?, output, runs, console)?,
        Name::Lsid3 => lsid3::run(&arguments.lsid3, output, runs, console)?,
    };
    print(|out| write!(out, "{}", report.text()))?;
    if let Some(folder) = output {
        report::write(folder, "summary.md", report.text())?;
        report::write(folder, "README.md", &about(&report, arguments.name == Name::Lsid3))?;
        let facts = vec![("machine".into(), machine())];
        report::write(folder, "page.html", &report.page(facts, command_line()))?;
        console.note(&format!("written to {}", folder.display()));
    }
    Ok(())
}

/// The folder of the data sets.
fn data(arguments: &Arguments) -> Result<&Path> {
    let folder = arguments.data.as_deref();
    let folder = folder.ok_or_else(|| Usage("this study needs its data sets; name their folder with --data".into()))?;
    if !folder.is_dir() {
        let error = Error::new(ErrorKind::Io, "this is not a folder").in_file(folder);
        return Err(error.remedy("name the folder of the ARFF files with --data").into());
    }
    Ok(folder)
}

/// How the run was made.
fn about(report: &Report, curves: bool) -> String {
    let title = report.text().lines().next().unwrap_or_default();
    format!(
        "{title}\n\n- command: `{}`\n- version: quickset {}\n- machine: {}\n\n`summary.md` is the report, `page.html` the \
         same with plots, `raw.csv` every number behind it{}.\n",
        command_line(),
        env!("CARGO_PKG_VERSION"),
        machine(),
        if curves { ", `curves.csv` every tree against time" } else { "" },
    )
}

fn machine() -> String {
    format!("{}, {} threads", processor(), rayon::current_num_threads())
}
