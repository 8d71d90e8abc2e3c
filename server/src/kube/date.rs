//! What the API server's answers tell of its clock ([`crate::clock::cluster`]).

use std::task::{Context, Poll};

use app::model::Timestamp;
use axum::http::{HeaderMap, Request, Response, header};
use futures::FutureExt;
use futures::future::BoxFuture;
use tower::{Layer, Service};

use crate::clock::cluster;

/// What the API server answers itself. Other groups may be another program's, on another machine, and an answer that it
/// only hands on bears that machine's date.
const ITS_OWN: [&str; 2] = ["/api/", "/apis/coordination.k8s.io/"];

/// Reads the date of each answer.
#[derive(Clone, Copy, Debug)]
pub struct ReadDates;

/// A service whose answers' dates are read.
#[derive(Clone, Debug)]
pub struct DatesRead<S>(S);

impl<S> Layer<S> for ReadDates {
    type Service = DatesRead<S>;

    fn layer(&self, inner: S) -> Self::Service {
        DatesRead(inner)
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
        let asked = cluster::local();
        self.0
            .call(request)
            .inspect(move |answer| {
                let date = answer.as_ref().ok().filter(|_| is_its_own).and_then(|it| read(it.headers()));
                if let Some(date) = date {
                    cluster::heard(asked, date);
                }
            })
            .boxed()
    }
}

fn read(headers: &HeaderMap) -> Option<Timestamp> {
    let text = headers.get(header::DATE)?.to_str().ok()?;
    let date = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text).ok()?;
    Some(Timestamp(date.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_of_an_answer_is_read_as_http_writes_it() {
        let told = |text: &str| {
            let headers = [(header::DATE, text.parse().unwrap())];
            read(&headers.into_iter().collect())
        };
        assert_eq!(told("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Timestamp(784_111_777_000)));
        assert_eq!(told("yesterday"), None);
        assert_eq!(read(&HeaderMap::new()), None);
    }
}
