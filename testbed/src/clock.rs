//! A clock that is wrong.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::Error;

/// Makes a library in `folder` that makes the wall clock of each program that it is loaded into (`LD_PRELOAD`) go `ahead`;
/// other clocks go as they do. Programs without the system's C library, such as helm, are not concerned.
pub fn clock_ahead(folder: &Path, ahead: Duration) -> Result<PathBuf, Error> {
    let (source, library) = (folder.join("ahead.c"), folder.join("ahead.so"));
    let code = format!(
        "#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <time.h>\n\
         int clock_gettime(clockid_t clock, struct timespec *now) {{\n\
           int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, \"clock_gettime\");\n\
           int result = real(clock, now);\n\
           if (result == 0 && clock == CLOCK_REALTIME) now->tv_sec += {};\n\
           return result;\n\
         }}\n",
        ahead.as_secs()
    );
    std::fs::write(&source, code)?;
    let mut compile = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
    let output = compile.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).arg("-ldl").output()?;
    if output.status.success() {
        Ok(library)
    } else {
        Err(std::io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()).into())
    }
}
