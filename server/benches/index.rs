//! What a large repository index costs: one of 60 MB, with 400 charts and 30,000 versions, as the largest public ones grow to
//! be. Prints a table in Markdown; the goals are less than a second of processor time and less than three times its size.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;

use rustix::time::{ClockId, Timespec, clock_gettime};
use server::charts::index::{parse, sample};

const CHARTS: usize = 400;
const VERSIONS: usize = 75;
/// How often it is read; the table has the median.
const TIMES: usize = 5;

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let text = index();
    let megabytes = text.len() as f64 / 1e6;
    let before = memory("VmRSS")?;
    let mut times = Vec::new();
    for _ in 0..TIMES {
        let start = processor_time();
        let index = black_box(parse(black_box(&text))?);
        times.push(processor_time() - start);
        assert_eq!(index.charts.len(), CHARTS);
        assert_eq!(index.charts.values().map(|chart| chart.versions.len()).sum::<usize>(), CHARTS * VERSIONS);
    }
    times.sort();
    let median = times.get(TIMES / 2).ok_or("no time")?;
    // The text itself is there before and after.
    let more = memory("VmHWM")?.saturating_sub(before) as f64 / 1e6;
    println!("| index | charts | versions | processor time | memory at peak, with the text |");
    println!("| --- | --- | --- | --- | --- |");
    println!(
        "| {megabytes:.0} MB | {CHARTS} | {} | {:.0} ms | {:.0} MB, {:.1} times its size |",
        CHARTS * VERSIONS,
        median.as_secs_f64() * 1e3,
        megabytes + more,
        (megabytes + more) / megabytes,
    );
    Ok(())
}

/// As helm writes it.
fn index() -> String {
    let mut text = String::from("apiVersion: v1\nentries:\n");
    for chart in 0..CHARTS {
        let _ = writeln!(text, "  chart-{chart}:");
        for version in 0..VERSIONS {
            text.push_str(&sample::entry(chart, version));
        }
    }
    text.push_str("generated: \"2026-01-01T00:00:00Z\"\n");
    text.shrink_to_fit();
    text
}

fn processor_time() -> Duration {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(tv_sec).unwrap_or(0), u32::try_from(tv_nsec).unwrap_or(0))
}

/// A figure of this process's memory, in bytes.
fn memory(name: &str) -> Result<usize, Error> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    let kilobytes: usize =
        line.and_then(|line| line.split_whitespace().next()).ok_or("no figure")?.parse()?;
    Ok(kilobytes * 1024)
}
