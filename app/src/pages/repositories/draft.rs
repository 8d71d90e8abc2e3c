//! What is in the form of a repository, and what is sent of it.

use super::state::own_name;
use crate::model::{
    ApiError, Credentials, References, RepositoryOrigin, RepositorySpec, RepositoryState, Secured,
};

/// A field that holds a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// Its own name.
    Name,
    /// What people call it.
    DisplayName,
    /// What it is for.
    Description,
    /// Its address.
    Url,
    /// The user name.
    Username,
    /// The password.
    Password,
    /// The bearer token.
    Token,
    /// The authorities to trust.
    Ca,
    /// The client's certificate.
    Certificate,
    /// Its key.
    Key,
    /// The ConfigMap of the authorities.
    CaName,
    /// The Secret of the certificate.
    CertificateName,
    /// The Secret of the user name and the password.
    PasswordName,
}

impl Text {
    const COUNT: usize = 13;

    /// The field as the API names it.
    pub fn field(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::DisplayName => "displayName",
            Self::Description => "description",
            Self::Url => "url",
            Self::Username => "credentials.username",
            Self::Password => "credentials.password",
            Self::Token => "credentials.token",
            Self::Ca => "credentials.ca",
            Self::Certificate => "credentials.certificate",
            Self::Key => "credentials.key",
            Self::CaName => "references.ca",
            Self::CertificateName => "references.certificate",
            Self::PasswordName => "references.password",
        }
    }

    /// The id of its element.
    pub fn id(self) -> &'static str {
        match self {
            Self::Name => "repository-name",
            Self::DisplayName => "repository-display-name",
            Self::Description => "repository-description",
            Self::Url => "repository-url",
            Self::Username => "repository-username",
            Self::Password => "repository-password",
            Self::Token => "repository-token",
            Self::Ca => "repository-ca",
            Self::Certificate => "repository-certificate",
            Self::Key => "repository-key",
            Self::CaName => "repository-ca-name",
            Self::CertificateName => "repository-certificate-name",
            Self::PasswordName => "repository-password-name",
        }
    }

    /// All of them that an API may name.
    const ALL: [Self; Self::COUNT] = [
        Self::Name,
        Self::DisplayName,
        Self::Description,
        Self::Url,
        Self::Username,
        Self::Password,
        Self::Token,
        Self::Ca,
        Self::Certificate,
        Self::Key,
        Self::CaName,
        Self::CertificateName,
        Self::PasswordName,
    ];
}

/// How one shows who one is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proof {
    /// Not at all.
    #[default]
    None,
    /// By a user name and a password.
    Password,
    /// By a bearer token.
    Token,
}

/// The form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// Where it is set up.
    pub origin: RepositoryOrigin,
    /// For which namespace.
    pub namespace: Option<String>,
    /// Nobody is to use it for now.
    pub disabled: bool,
    /// Which credentials are kept by Slipway already.
    pub stored: Secured,
    /// Those are replaced by what is in the form, also where that is nothing.
    pub replace: bool,
    /// How one shows who one is.
    pub proof: Proof,
    texts: [String; Text::COUNT],
}

impl Draft {
    /// A new one.
    pub fn new(origin: RepositoryOrigin, namespace: Option<String>, url: String) -> Self {
        let mut draft = Self { origin, replace: true, ..Self::default() };
        draft.for_namespace(namespace);
        draft.set(Text::Url, url);
        draft
    }

    /// One to change.
    pub fn of(state: &RepositoryState) -> Self {
        let mut draft = Self {
            origin: state.origin,
            namespace: state.namespace.clone(),
            disabled: state.disabled,
            stored: state.secured.clone(),
            replace: false,
            ..Self::default()
        };
        let named = state.secured.references.clone().unwrap_or_default();
        for (field, text) in [
            (Text::Name, Some(own_name(state).to_owned())),
            (Text::DisplayName, state.display_name.clone()),
            (Text::Description, state.description.clone()),
            (Text::Url, Some(state.url.clone())),
            (Text::CaName, named.ca),
            (Text::CertificateName, named.certificate),
            (Text::PasswordName, named.password),
        ] {
            draft.set(field, text.unwrap_or_default());
        }
        draft
    }

    /// Only those of a namespace are for one.
    pub fn for_namespace(&mut self, namespace: Option<String>) {
        self.namespace = namespace.filter(|_| self.origin == RepositoryOrigin::Project);
    }

    /// A field's text.
    pub fn text(&self, field: Text) -> &str {
        &self.texts[field as usize]
    }

    /// Changes a field's text.
    pub fn set(&mut self, field: Text, text: String) {
        self.texts[field as usize] = text;
    }

    /// Whether it is one of Slipway's own, which keeps its credentials.
    pub fn is_own(&self) -> bool {
        self.origin == RepositoryOrigin::Slipway
    }

    /// Whether Slipway keeps credentials for it already.
    pub fn has_stored(&self) -> bool {
        let Secured { password, token, ca, certificate, .. } = self.stored;
        self.is_own() && (password || token || ca || certificate)
    }

    /// What is sent.
    pub fn spec(&self) -> RepositorySpec {
        let line = |field| Some(self.text(field).trim().to_owned()).filter(|text| !text.is_empty());
        // A password may begin with a blank, and a certificate ends with a line's end.
        let exact = |field, is_asked: bool| {
            Some(self.text(field).to_owned()).filter(|text| is_asked && !text.trim().is_empty())
        };
        let (password, token) = (self.proof == Proof::Password, self.proof == Proof::Token);
        let credentials = Credentials {
            username: exact(Text::Username, password),
            password: exact(Text::Password, password),
            token: exact(Text::Token, token).map(|token| token.trim().to_owned()),
            ca: exact(Text::Ca, true),
            certificate: exact(Text::Certificate, true),
            key: exact(Text::Key, true),
        };
        let references = References {
            ca: line(Text::CaName),
            certificate: line(Text::CertificateName),
            password: line(Text::PasswordName),
        };
        RepositorySpec {
            origin: self.origin,
            namespace: self.namespace.clone(),
            name: line(Text::Name).unwrap_or_default(),
            url: line(Text::Url).unwrap_or_default(),
            display_name: line(Text::DisplayName),
            description: line(Text::Description),
            disabled: self.disabled,
            credentials: Some(credentials).filter(|_| self.is_own() && self.replace),
            references: Some(references).filter(|some| !self.is_own() && *some != References::default()),
        }
    }
}

impl Draft {
    /// What of it the browser may keep for a while: all but what opens the repository.
    pub fn kept(&self) -> RepositorySpec {
        let mut spec = self.spec();
        if let Some(credentials) = &mut spec.credentials {
            (credentials.password, credentials.token, credentials.key) = (None, None, None);
        }
        spec
    }

    /// The form with what was kept of it.
    pub fn resume(&mut self, kept: RepositorySpec) {
        let RepositorySpec {
            name, url, display_name, description, disabled, credentials, references, ..
        } = kept;
        let references = references.unwrap_or_default();
        self.replace = credentials.is_some() || !self.has_stored();
        let credentials = credentials.unwrap_or_default();
        if credentials.username.is_some() {
            self.proof = Proof::Password;
        }
        self.disabled = disabled;
        for (field, text) in [
            (Text::Name, Some(name)),
            (Text::Url, Some(url)),
            (Text::DisplayName, display_name),
            (Text::Description, description),
            (Text::Username, credentials.username),
            (Text::Ca, credentials.ca),
            (Text::Certificate, credentials.certificate),
            (Text::CaName, references.ca),
            (Text::CertificateName, references.certificate),
            (Text::PasswordName, references.password),
        ] {
            self.set(field, text.unwrap_or_default());
        }
    }
}

/// Which field a refusal is about; none if it is about none of them.
pub fn refused_field(refusal: &ApiError) -> Option<Text> {
    let ApiError::Invalid { field: Some(field), .. } = refusal else { return None };
    Text::ALL.into_iter().find(|one| one.field() == field)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored() -> RepositoryState {
        RepositoryState {
            name: "private".into(),
            url: "https://charts.example.org/".into(),
            origin: RepositoryOrigin::Slipway,
            display_name: Some("Private".into()),
            secured: Secured { password: true, ca: true, ..Secured::default() },
            ..RepositoryState::default()
        }
    }

    #[test]
    fn a_new_one_is_sent_with_what_was_typed() {
        let mut draft =
            Draft::new(RepositoryOrigin::Slipway, Some("demo".into()), " https://charts.example.org ".into());
        draft.set(Text::Name, "private ".into());
        draft.set(Text::Username, "me".into());
        draft.set(Text::Password, " secret".into());
        draft.set(Text::Token, "left over".into());
        draft.proof = Proof::Password;
        let spec = draft.spec();
        assert_eq!((spec.name.as_str(), spec.url.as_str()), ("private", "https://charts.example.org"));
        assert_eq!((spec.namespace, spec.references, spec.display_name), (None, None, None));
        let credentials = spec.credentials.unwrap();
        assert_eq!(credentials.password.as_deref(), Some(" secret"));
        assert_eq!(credentials.token, None, "what is not in sight is not sent");
    }

    #[test]
    fn what_is_stored_is_kept_until_it_is_replaced() {
        let mut draft = Draft::of(&stored());
        assert!(draft.has_stored());
        assert_eq!(draft.spec().credentials, None);
        draft.replace = true;
        assert_eq!(draft.spec().credentials, Some(Credentials::default()), "nothing is asked for any more");
        assert_eq!(draft.spec().display_name.as_deref(), Some("Private"));
    }

    #[test]
    fn one_of_openshifts_names_its_objects() {
        let state = RepositoryState {
            name: "demo:team".into(),
            namespace: Some("demo".into()),
            origin: RepositoryOrigin::Project,
            url: "https://charts.example.org/".into(),
            secured: Secured {
                password: true,
                references: Some(References { password: Some("user".into()), ..References::default() }),
                ..Secured::default()
            },
            ..RepositoryState::default()
        };
        let mut draft = Draft::of(&state);
        assert!(!draft.has_stored());
        let spec = draft.spec();
        assert_eq!((spec.name.as_str(), spec.namespace.as_deref()), ("team", Some("demo")));
        assert_eq!(spec.references.unwrap().password.as_deref(), Some("user"));
        assert_eq!(spec.credentials, None);
        draft.set(Text::PasswordName, " ".into());
        assert_eq!(draft.spec().references, None);
    }

    #[test]
    fn a_refusal_is_told_at_its_field() {
        for field in Text::ALL {
            assert_eq!(refused_field(&ApiError::invalid(field.field(), "no")), Some(field));
        }
        assert_eq!(refused_field(&ApiError::invalid("credentials", "no")), None);
        assert_eq!(refused_field(&ApiError::Forbidden { message: "no".into() }), None);
        let ids: std::collections::HashSet<_> = Text::ALL.map(Text::id).into();
        assert_eq!(ids.len(), Text::COUNT);
    }

    #[test]
    fn the_browser_keeps_the_form_and_none_of_its_secrets() {
        let mut draft = Draft::new(RepositoryOrigin::Slipway, None, "https://charts.example.org".into());
        draft.proof = Proof::Password;
        for (field, text) in [
            (Text::Name, "team"),
            (Text::Description, "Ours"),
            (Text::Username, "me"),
            (Text::Password, "secret-1"),
            (Text::Token, "secret-2"),
            (Text::Key, "secret-3"),
            (Text::Ca, "PEM"),
        ] {
            draft.set(field, text.into());
        }
        for proof in [Proof::Token, Proof::Password] {
            draft.proof = proof;
            let kept = serde_json::to_string(&draft.kept()).unwrap();
            assert!(!kept.contains("secret"), "{kept}");
        }
        let mut again = Draft::new(RepositoryOrigin::Slipway, None, String::new());
        again.resume(draft.kept());
        let found = [Text::Name, Text::Description, Text::Url, Text::Username, Text::Password, Text::Ca];
        let found = found.map(|field| again.text(field));
        assert_eq!(found, ["team", "Ours", "https://charts.example.org", "me", "", "PEM"]);
        assert_eq!(again.proof, Proof::Password);
    }
}
