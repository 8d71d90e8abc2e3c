//! How many logs are followed at once: each holds a connection to the API server.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use app::model::ApiError;
use app::port::Caller;

/// How many logs one caller may follow at once: some tabs of some windows.
const OF_ONE_MAX: usize = 20;
/// How many logs may be followed at once.
const ALL_MAX: usize = 200;

/// Counts the streams.
#[derive(Default)]
pub struct Streams(Arc<Mutex<HashMap<Caller, usize>>>);

/// A stream's place among all; it is free again when this is dropped.
pub struct Turn {
    all: Arc<Mutex<HashMap<Caller, usize>>>,
    caller: Caller,
}

impl Streams {
    /// A place for one more stream of `caller`.
    ///
    /// # Errors
    /// [`ApiError::Unavailable`] when there are too many.
    pub fn take(&self, caller: &Caller) -> Result<Turn, ApiError> {
        let mut all = lock(&self.0);
        let full = |message: String| Err(ApiError::Unavailable { message });
        let own = all.get(caller).copied().unwrap_or(0);
        if own >= OF_ONE_MAX {
            return full(format!("You follow {OF_ONE_MAX} logs already: close one of them first."));
        }
        if all.values().sum::<usize>() >= ALL_MAX {
            return full(format!("{ALL_MAX} logs are being followed at the moment. Try again later."));
        }
        all.insert(caller.clone(), own + 1);
        Ok(Turn { all: Arc::clone(&self.0), caller: caller.clone() })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut all = lock(&self.all);
        if let Some(own) = all.get_mut(&self.caller) {
            *own -= 1;
            if *own == 0 {
                all.remove(&self.caller);
            }
        }
    }
}

fn lock(all: &Mutex<HashMap<Caller, usize>>) -> MutexGuard<'_, HashMap<Caller, usize>> {
    all.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(user: usize) -> Caller {
        Caller { user: user.to_string() }
    }

    #[test]
    fn a_caller_has_some_places_and_gets_them_back() {
        let streams = Streams::default();
        let mut own: Vec<Turn> = (0..OF_ONE_MAX).map(|_| streams.take(&caller(1)).unwrap()).collect();
        assert!(streams.take(&caller(1)).is_err() && streams.take(&caller(2)).is_ok());
        own.pop();
        assert!(streams.take(&caller(1)).is_ok());
        drop(own);
        assert!(lock(&streams.0).is_empty());
    }

    #[test]
    fn all_together_have_no_more_than_there_are() {
        let streams = Streams::default();
        let turns: Vec<_> = (0..ALL_MAX).map(|at| streams.take(&caller(at / 10)).unwrap()).collect();
        assert!(streams.take(&caller(999)).is_err());
        drop(turns);
        assert!(streams.take(&caller(999)).is_ok());
    }
}
