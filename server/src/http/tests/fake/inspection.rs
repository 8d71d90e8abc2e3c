//! What the fake says of a release that is looked into.

use super::*;

#[async_trait]
impl Inspection for FakeBackend {
    async fn object(&self, _: &Caller, _: &ReleaseKey, object: &ObjectRef) -> Result<ObjectDetail, ApiError> {
        let detail = ObjectDetail {
            now: Timestamp(0),
            object: object.clone(),
            root: object.clone(),
            source: String::new(),
            yaml: String::new(),
            is_sensitive: false,
            created: None,
            health: Health::Ready,
            message: String::new(),
            conditions: vec![],
            events: vec![],
            events_error: None,
        };
        self.answer(detail).await
    }

    async fn pods(&self, _: &Caller, _: &ReleaseKey) -> Result<PodList, ApiError> {
        self.answer(PodList { now: Timestamp(0), pods: vec![], warnings: vec![] }).await
    }

    /// Says one line and then nothing; or two lines and that it is over, if it is not to be followed.
    async fn pod_log(&self, _: &Caller, _: &ReleaseKey, which: PodLogQuery) -> Result<PodLog, ApiError> {
        let line = |text: String, upto: &str| PodLogPiece::Lines { text, upto: upto.into() };
        let first = line(format!("{} {:?}\n", which.pod, which.after), "1");
        let log: PodLog = if which.follow {
            futures::stream::iter([first]).chain(futures::stream::pending()).boxed()
        } else {
            let end = PodLogPiece::End("why".into());
            futures::stream::iter([first, line("two\nthree\r\n".into(), "2"), end]).boxed()
        };
        self.answer(log).await
    }

    async fn picture(&self, _: &Caller, _: &ReleaseKey) -> Result<Picture, ApiError> {
        self.answer(Picture::default()).await
    }

    async fn timeline(&self, _: &Caller, _: &ReleaseKey) -> Result<Timeline, ApiError> {
        self.answer(Timeline::default()).await
    }

    async fn tests(&self, _: &Caller, _: &ReleaseKey) -> Result<TestReport, ApiError> {
        self.answer(TestReport::default()).await
    }

    async fn compare(
        &self,
        _: &Caller,
        _: &ReleaseKey,
        _: Facet,
        from: Option<u32>,
        to: Option<u32>,
    ) -> Result<Comparison, ApiError> {
        self.answer(Comparison { from, to, ..Comparison::default() }).await
    }

    async fn compare_preview(&self, _: &Caller, _: &OperationId, _: Facet) -> Result<Comparison, ApiError> {
        self.answer(Comparison::default()).await
    }

    async fn compare_values(
        &self,
        _: &Caller,
        _: &ReleaseKey,
        _: String,
        _: ValuesPolicy,
    ) -> Result<Comparison, ApiError> {
        self.answer(Comparison::default()).await
    }

    async fn operation_log_part(
        &self,
        _: &Caller,
        _: &OperationId,
        since: Option<&str>,
    ) -> Result<LogPart, ApiError> {
        let part = LogPart {
            text: "a".into(),
            continues: since.is_some(),
            is_cut: false,
            next: "1".into(),
            is_over: false,
        };
        self.answer(part).await
    }

    async fn command_of(&self, _: &Caller, _: &OperationId) -> Result<CommandLine, ApiError> {
        self.answer(CommandLine { text: "helm".into(), remarks: vec![] }).await
    }

    async fn command_for(&self, _: &Caller, request: SubmitOperation) -> Result<CommandLine, ApiError> {
        self.answer(CommandLine { text: request.name, remarks: vec![] }).await
    }
}
