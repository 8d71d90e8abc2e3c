//! A release build has the page's files in it, so it is another one when they change. A debug build reads them from disk.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed=../dist");
    }
}
