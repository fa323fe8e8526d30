//! Page of a verdict: answer, reasons, layers, history, and the decisions of an operator.

mod evidence;
mod history;

use crate::error::ConsoleError;
use crate::form::Form;
use crate::format::{Address, Score, State, StatusMark, Time, nats_text};
use crate::page::Page;
use crate::response::{redirect_done, show as show_page, show_again};
use crate::screens::context;
use crate::visit::Visit;
use actix_web::HttpResponse;
use actix_web::web::Path;
use askama::Template;
use evidence::Evidence;
use history::HistoryEntry;
use serde::Deserialize;
use voight_domain::ports::EraseMode;
use voight_domain::registry::Context;
use voight_domain::services::{Explanation, LabelInput};
use voight_domain::verdict::{DecidedBy, Layer, OverrideTo, Status, Truth, detail};
use voight_domain::vocabulary::EoaAddress;

/// Events that the page shows.
const MAX_EVENTS: usize = 50;

/// Context and address of a verdict, as a path has them.
type VerdictPath = Path<(String, String)>;

#[derive(Template)]
#[template(path = "verdict.html")]
struct VerdictPage {
    page: Page,
    path: String,
    context_id: String,
    context: String,
    client: String,
    address: Address,
    address_text: String,
    audit_digest: String,
    status: StatusMark,
    score: Score,
    sentence: String,
    visitor_sentence: &'static str,
    decided_by: &'static str,
    is_test: bool,
    layers: [LayerFacts; 2],
    evidence: Option<Evidence>,
    history: Vec<HistoryEntry>,
    reason: String,
}

/// Facts about a layer.
struct LayerFacts {
    name: &'static str,
    state: State,
    checks: u32,
    bot: String,
    flagged_at: Option<Time>,
}

#[derive(Template)]
#[template(path = "erase.html")]
struct ErasePage {
    page: Page,
    path: String,
    address: Address,
    last_characters: String,
}

/// Fields of the form of an override.
#[derive(Deserialize)]
pub(crate) struct OverrideFields {
    to: String,
    reason: String,
}

/// Fields of the form of a label.
#[derive(Deserialize)]
pub(crate) struct LabelFields {
    label: String,
    #[serde(default)]
    consent: String,
}

/// Fields of the form of an erasure.
#[derive(Deserialize)]
pub(crate) struct ErasureFields {
    reason: String,
    confirmation: String,
}

/// Verdict that a path names.
struct NamedVerdict {
    context: Context,
    client: String,
    address: EoaAddress,
}

/// `GET /console/verdicts/{context}/{address}`: a verdict.
pub(crate) async fn show(visit: Visit, path: VerdictPath) -> Result<HttpResponse, ConsoleError> {
    let verdict = NamedVerdict::find(&visit, path).await?;
    let page = Page::new(&visit, "Verdict");
    Ok(show_page(
        &VerdictPage::new(&visit, page, &verdict, String::new()).await?,
    ))
}

/// `POST /console/verdicts/{context}/{address}/override`: sets the verdict.
pub(crate) async fn set(
    path: VerdictPath,
    form: Form<OverrideFields>,
) -> Result<HttpResponse, ConsoleError> {
    let Form { visit, fields } = form;
    let verdict = NamedVerdict::find(&visit, path).await?;
    let to = match fields.to.as_str() {
        "human" => OverrideTo::Human,
        "bot" => OverrideTo::Bot,
        _ => return Err(ConsoleError::unreadable_form()),
    };
    let operator = visit.services().operator.acting_as(&visit.actor());
    let reason = fields.reason.trim().to_owned();
    let outcome = operator
        .override_verdict(&verdict.context.id, verdict.address, to, reason.clone())
        .await;
    verdict
        .answer_form(&visit, outcome.map(drop), "overridden", reason)
        .await
}

/// `POST /console/verdicts/{context}/{address}/label`: stores what is true.
pub(crate) async fn label(
    path: VerdictPath,
    form: Form<LabelFields>,
) -> Result<HttpResponse, ConsoleError> {
    let Form { visit, fields } = form;
    let verdict = NamedVerdict::find(&visit, path).await?;
    let truth = match fields.label.as_str() {
        "human" => Truth::Human,
        "bot" => Truth::Bot,
        _ => return Err(ConsoleError::unreadable_form()),
    };
    let label = LabelInput {
        address: verdict.address,
        truth,
        consent: !fields.consent.is_empty(),
        reason: None,
    };
    let operator = visit.services().operator.acting_as(&visit.actor());
    let outcome = operator
        .label(&verdict.context.id, vec![label], "labelled in the console")
        .await;
    verdict
        .answer_form(&visit, outcome.map(drop), "labelled", String::new())
        .await
}

/// `GET /console/verdicts/{context}/{address}/erase`: what an erasure removes.
pub(crate) async fn confirm_erasure(
    visit: Visit,
    path: VerdictPath,
) -> Result<HttpResponse, ConsoleError> {
    let verdict = NamedVerdict::find(&visit, path).await?;
    let page = Page::new(&visit, "Erase an address");
    Ok(show_page(&ErasePage::new(page, &verdict)))
}

/// `POST /console/verdicts/{context}/{address}/erase`: erases the address from all contexts.
pub(crate) async fn erase(
    path: VerdictPath,
    form: Form<ErasureFields>,
) -> Result<HttpResponse, ConsoleError> {
    let Form { visit, fields } = form;
    let verdict = NamedVerdict::find(&visit, path).await?;
    let correct = |problem: &str| {
        let page = Page::new(&visit, "Erase an address").with_error(problem);
        show_again(&ErasePage::new(page, &verdict))
    };
    if !fields
        .confirmation
        .trim()
        .eq_ignore_ascii_case(&verdict.last_characters())
    {
        return Ok(correct(
            "These are not the last four characters of the address. Nothing was erased.",
        ));
    }
    let operator = visit.services().operator.acting_as(&visit.actor());
    let outcome = operator
        .erase(verdict.address, fields.reason.trim(), EraseMode::Execute)
        .await;
    match outcome.map_err(ConsoleError::from) {
        Ok(_) => Ok(redirect_done(
            &format!("{}/verdicts", crate::PREFIX),
            "erased",
        )),
        Err(error) => Ok(correct(&error.into_correction()?)),
    }
}

impl NamedVerdict {
    async fn find(visit: &Visit, path: VerdictPath) -> Result<Self, ConsoleError> {
        let (context, address) = path.into_inner();
        let (context, client) = context::find(visit, &context).await?;
        let address = address
            .parse()
            .map_err(|_| ConsoleError::not_found("verdict on this address"))?;
        Ok(Self {
            context,
            client: client.name.to_string(),
            address,
        })
    }

    fn path(&self) -> String {
        format!(
            "{}/verdicts/{}/{}",
            crate::PREFIX,
            self.context.id,
            self.address
        )
    }

    fn last_characters(&self) -> String {
        let text = self.address.to_string();
        text[text.len() - 4..].to_owned()
    }

    /// Returns to the page after a form, or shows the form again with what was wrong.
    async fn answer_form(
        &self,
        visit: &Visit,
        outcome: Result<(), voight_domain::services::ServiceError>,
        done: &str,
        reason: String,
    ) -> Result<HttpResponse, ConsoleError> {
        match outcome.map_err(ConsoleError::from) {
            Ok(()) => Ok(redirect_done(&self.path(), done)),
            Err(error) => {
                let problem = error.into_correction()?;
                let page = Page::new(visit, "Verdict").with_error(&problem);
                let page = VerdictPage::new(visit, page, self, reason).await?;
                Ok(show_again(&page))
            }
        }
    }
}

impl VerdictPage {
    async fn new(
        visit: &Visit,
        page: Page,
        named: &NamedVerdict,
        reason: String,
    ) -> Result<Self, ConsoleError> {
        let operator = &visit.services().operator;
        let explanation = operator
            .explain(&named.context.id, &named.address, MAX_EVENTS)
            .await?;
        let Explanation {
            context,
            audit_digest,
            verdict,
            tombstone,
            answer,
            timeline,
            ..
        } = explanation;
        let detail = detail(Some(&verdict), tombstone.as_ref(), &context.settings);
        let threshold = context.settings.min_confidence.flag_threshold();
        Ok(Self {
            page,
            path: named.path(),
            context_id: context.id.to_string(),
            context: context.id.title().to_owned(),
            client: named.client.clone(),
            address: named.address.into(),
            address_text: named.address.to_string(),
            audit_digest: audit_digest.to_string(),
            status: detail.status.into(),
            score: Score::new(answer),
            sentence: sentence(detail.status, detail.checks, detail.decided_by),
            visitor_sentence: visitor_sentence(detail.status),
            decided_by: match detail.decided_by {
                Some(DecidedBy::Operator) => "Decided by an operator",
                _ => "Decided by checks",
            },
            is_test: context.environment.is_test(),
            layers: [
                LayerFacts::new(visit, "Proved", &verdict.owned),
                LayerFacts::new(visit, "Not proved", &verdict.unverified),
            ],
            evidence: Evidence::strongest(visit, &timeline, threshold),
            history: timeline
                .iter()
                .rev()
                .map(|event| HistoryEntry::new(visit, event))
                .collect(),
            reason,
        })
    }
}

impl LayerFacts {
    fn new(visit: &Visit, name: &'static str, layer: &Layer) -> Self {
        let state = if layer.flagged {
            State::bad("Flagged")
        } else if layer.is_unchecked() {
            State::neutral("No check")
        } else {
            State::good("Not flagged")
        };
        Self {
            name,
            state,
            checks: layer.conclusive_checks,
            bot: nats_text(layer.bot),
            flagged_at: layer.first_flagged_at.map(|at| Time::new(at, visit.now)),
        }
    }
}

impl ErasePage {
    fn new(page: Page, verdict: &NamedVerdict) -> Self {
        Self {
            page,
            path: verdict.path(),
            address: verdict.address.into(),
            last_characters: verdict.last_characters(),
        }
    }
}

/// Returns a sentence that a support person can read out.
fn sentence(status: Status, checks: u32, decided_by: Option<DecidedBy>) -> String {
    let checks_text = if checks == 1 {
        "one completed check".to_owned()
    } else {
        format!("{checks} completed checks")
    };
    let is_decided_by_operator = decided_by == Some(DecidedBy::Operator);
    match status {
        Status::Bot if is_decided_by_operator => "An operator decided that this address is a bot.".to_owned(),
        Status::Human if is_decided_by_operator => "An operator decided that this address is a person.".to_owned(),
        Status::Bot => format!("After {checks_text}, this address looks like one that a program operates."),
        Status::Human => format!("After {checks_text}, this address looks like one that a person operates."),
        Status::Unsure => format!("After {checks_text}, the evidence supports neither a person nor a bot. The answer is “not a bot”, with little certainty."),
        Status::Unknown => "No check of this address was completed here, so the answer is “not a bot”, with no certainty.".to_owned(),
    }
}

/// Returns a sentence that is safe to send to a visitor: it reveals no signal.
const fn visitor_sentence(status: Status) -> &'static str {
    match status {
        Status::Bot | Status::Unsure => {
            "We could not confirm that a person did this check. Open it again and sign with your wallet: then only your own checks count."
        }
        Status::Human => "Your check is complete, and nothing speaks against it.",
        Status::Unknown => {
            "We have no completed check of your wallet. Open the check on the page of the quest and finish it."
        }
    }
}
