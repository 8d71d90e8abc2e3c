//! A witness that tells what it was told to.

use std::sync::Mutex;

use app::model::{Evidence, Failure, Operation};
use async_trait::async_trait;

use crate::operations::{Testimony, Witness};

/// Tells what it was told to.
#[derive(Default)]
pub(crate) struct FakeWitness {
    evidence: Mutex<Vec<Evidence>>,
}

impl FakeWitness {
    /// From now on this is what it has seen.
    pub(crate) fn tells(&self, evidence: Vec<Evidence>) {
        *self.evidence.lock().unwrap() = evidence;
    }
}

#[async_trait]
impl Witness for FakeWitness {
    async fn attend(&self, _: &Operation) -> Box<dyn Testimony> {
        Box::new(FakeTestimony(self.evidence.lock().unwrap().clone()))
    }
}

struct FakeTestimony(Vec<Evidence>);

#[async_trait]
impl Testimony for FakeTestimony {
    async fn explain(self: Box<Self>, _: &Failure) -> Vec<Evidence> {
        self.0
    }
}
