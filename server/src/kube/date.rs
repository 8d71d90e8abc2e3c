//! What the API server's answers tell of its clock ([`crate::clock::cluster`]).

use std::task::{Context, Poll};

use app::model::Timestamp;
use axum::http::{HeaderMap, Request, Response, header};
use futures::FutureExt;
use futures::future::BoxFuture;
use tower::{Layer, Service};

use crate::clock::cluster::{Clock, local};

/// What the API server answers itself. Other groups may be another program's, on another machine, and an answer that it
/// only hands on bears that machine's date.
const ITS_OWN: [&str; 2] = ["/api/", "/apis/coordination.k8s.io/"];
/// What it writes into each answer, whether or not it keeps an audit log, as the first thing that it does with a request
/// (`WithAuditInit` of `k8s.io/apiserver`). A load balancer's own page in its stead, a 503 for one, bears another date.
const SIGNATURE: &str = "audit-id";

/// Reads the date of each answer, for this clock.
#[derive(Clone, Debug)]
pub struct ReadDates(pub Clock);

/// A service whose answers' dates are read.
#[derive(Clone, Debug)]
pub struct DatesRead<S>(S, Clock);

impl<S> Layer<S> for ReadDates {
    type Service = DatesRead<S>;

    fn layer(&self, inner: S) -> Self::Service {
        DatesRead(inner, self.0.clone())
    }
}

impl<S, A, B> Service<Request<A>> for DatesRead<S>
where
    S: Service<Request<A>, Response = Response<B>>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<S::Response, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: Request<A>) -> Self::Future {
        let is_its_own = ITS_OWN.iter().any(|path| request.uri().path().starts_with(path));
        let (asked, clock) = (local(), self.1.clone());
        self.0
            .call(request)
            .inspect(move |answer| {
                let date = answer.as_ref().ok().filter(|_| is_its_own).and_then(|it| read(it.headers()));
                if let Some(date) = date {
                    clock.heard(asked, date);
                }
            })
            .boxed()
    }
}

/// When the API server answered; none if the answer is another's.
fn read(headers: &HeaderMap) -> Option<Timestamp> {
    let text = headers.contains_key(SIGNATURE).then_some(headers)?.get(header::DATE)?.to_str().ok()?;
    let date = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text).ok()?;
    Some(Timestamp(date.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_of_an_answer_is_read_as_http_writes_it() {
        let told = |text: &str| read(&signed(text));
        assert_eq!(told("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Timestamp(784_111_777_000)));
        assert_eq!(told("yesterday"), None);
        assert_eq!(read(&HeaderMap::new()), None);
    }

    #[test]
    fn the_date_of_an_answer_that_the_api_server_did_not_give_is_not_believed() {
        let mut headers = signed("Sun, 06 Nov 1994 08:49:37 GMT");
        headers.remove(SIGNATURE);
        assert_eq!(read(&headers), None);
    }

    fn signed(date: &str) -> HeaderMap {
        let headers = [
            (header::DATE, date.parse().unwrap()),
            (SIGNATURE.parse().unwrap(), "1b8e9a4c-4f0e-4c8b-a6e4-7d2f0a9f7c11".parse().unwrap()),
        ];
        headers.into_iter().collect()
    }
}
