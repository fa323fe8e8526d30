//! Calls of the API other than a claim: lookups, contexts, quotes, the ledger, and any operation by its id.

use std::collections::HashMap;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::call::{ATTEMPT, Deadline, Request, TRANSFER, fill};
use crate::generated::{
    BatchLookup, BatchLookupResponse, CREATE_QUOTE, GET_LEDGER_HEAD, LOOK_UP_ADDRESS_DETAIL,
    LOOK_UP_BATCH, LedgerHead, LookupDetailResponse, Operation, Quote, QuoteRequest,
    REGISTER_CONTEXT, RegisterContext, RegisteredContext, SignedLedgerHead,
};
use crate::verdict::Subject;
use crate::{Client, Error, MAX_BATCH, options};

/// Parameters of an operation that has no method of its own.
#[derive(Debug, Clone, Default)]
pub struct Parameters<'a> {
    /// Parameters of the path.
    pub path: HashMap<&'a str, &'a str>,
    /// Parameters of the query.
    pub query: Vec<(&'a str, String)>,
    /// JSON body.
    pub body: Option<Value>,
    /// Idempotency key, which is sent if present.
    pub idempotency_key: Option<&'a str>,
}

impl<'a> Parameters<'a> {
    fn request(&self, operation: Operation) -> Result<Request<'a>, Error> {
        let request = match &self.body {
            Some(body) => Request::json(operation, body)?,
            None => Request::new(operation),
        };
        let key = self
            .idempotency_key
            .map(|key| options::idempotency_key(Some(key)))
            .transpose()?;
        let path = fill(operation, &self.path)?;
        Ok(Request {
            path,
            query: self.query.clone(),
            idempotency_key: key,
            ..request
        })
    }
}

impl Client {
    fn deadline(&self) -> Deadline {
        Deadline::new(self.timeout, ATTEMPT)
    }

    /// Looks up an address with the basis of the answer. It is billed as a plain lookup.
    ///
    /// # Errors
    ///
    /// The error of the service.
    pub async fn look_up_detail(
        &self,
        subject: &Subject<'_>,
    ) -> Result<LookupDetailResponse, Error> {
        self.data(
            &subject.validate()?.lookup(LOOK_UP_ADDRESS_DETAIL),
            self.deadline(),
        )
        .await
    }

    /// Looks up 1 to 1,000 addresses. Each distinct valid one is billed as a plain lookup.
    ///
    /// # Errors
    ///
    /// The error of the service.
    pub async fn look_up_batch(
        &self,
        batch: &BatchLookup,
        idempotency_key: Option<&str>,
    ) -> Result<BatchLookupResponse, Error> {
        options::context(&batch.context_id)?;
        if batch.eoa_addresses.is_empty() || batch.eoa_addresses.len() > MAX_BATCH {
            return Err(Error::invalid(
                "eoa_addresses",
                &format!("a list of 1 to {MAX_BATCH} addresses"),
            ));
        }
        let key = options::idempotency_key(idempotency_key)?;
        self.data(
            &Request::json(LOOK_UP_BATCH, batch)?.idempotent(key),
            self.deadline(),
        )
        .await
    }

    /// Registers a context, and returns its id.
    ///
    /// # Errors
    ///
    /// The error of the service.
    pub async fn register_context(
        &self,
        title: &str,
        idempotency_key: Option<&str>,
    ) -> Result<String, Error> {
        if title.is_empty() {
            return Err(Error::invalid("title", "the title of the context"));
        }
        let key = options::idempotency_key(idempotency_key)?;
        let body = RegisterContext {
            context_title: title.to_owned(),
        };
        let request = Request::json(REGISTER_CONTEXT, &body)?.idempotent(key);
        let context: RegisteredContext = self.data(&request, self.deadline()).await?;
        Ok(context.context_id)
    }

    /// Estimates the cost of the next lookups. Nothing is recorded, billed or reserved.
    ///
    /// # Errors
    ///
    /// The error of the service.
    pub async fn create_quote(&self, asked: &QuoteRequest) -> Result<Quote, Error> {
        options::context(&asked.context_id)?;
        if asked.units <= 0 {
            return Err(Error::invalid("units", "a whole number above 0"));
        }
        self.data(&Request::json(CREATE_QUOTE, asked)?, self.deadline())
            .await
    }

    /// Returns the signed head of the ledger, to be saved by the caller.
    ///
    /// # Errors
    ///
    /// `ledger_mismatch` if the ledger contradicts `saved`, a head of an earlier call; else the error of the service.
    pub async fn ledger_head(&self, saved: Option<&LedgerHead>) -> Result<SignedLedgerHead, Error> {
        let head: SignedLedgerHead = self
            .data(&Request::new(GET_LEDGER_HEAD), self.deadline())
            .await?;
        let Some(saved) = saved else { return Ok(head) };
        let seq = head.seq;
        let fault = if seq < saved.seq {
            format!(
                "ends at row {seq}, before the saved row {}: rows were removed, or a backup was restored",
                saved.seq
            )
        } else if seq == saved.seq && head.head != saved.head {
            format!(
                "has another head at row {seq} than the saved one: it was rewritten, or is another ledger"
            )
        } else {
            return Ok(head);
        };
        let message = format!("The ledger {fault}. Keep the saved head, and ask the operator.");
        Err(Error {
            status: 200,
            ..Error::new("ledger_mismatch", message)
        })
    }

    /// Calls an operation of the API, and decodes `data` of the response.
    ///
    /// # Errors
    ///
    /// The error of the service.
    pub async fn call<T: DeserializeOwned>(
        &self,
        operation: Operation,
        parameters: &Parameters<'_>,
    ) -> Result<T, Error> {
        self.data(&parameters.request(operation)?, self.deadline())
            .await
    }

    /// Calls an operation of the API, and returns the body of the response.
    ///
    /// # Errors
    ///
    /// The error of the service.
    pub async fn call_raw(
        &self,
        operation: Operation,
        parameters: &Parameters<'_>,
    ) -> Result<Vec<u8>, Error> {
        let deadline = Deadline::new(self.timeout, TRANSFER);
        Ok(self
            .perform(&parameters.request(operation)?, deadline)
            .await?
            .body)
    }
}
