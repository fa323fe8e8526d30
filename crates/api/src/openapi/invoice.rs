//! Schema of an invoice, written by hand. The type is shared with drafts and cannot express which members are always present.

use serde_json::{Value, json};

/// Returns the schema.
pub(super) fn invoice_schema() -> Value {
    object(
        "An invoice.",
        json!({
            "id": described("string", "The client's id, a hyphen and the number."),
            "number": described("integer", "Its number within the client, from 1, without gaps."),
            "issued_at": time("Time of issue."),
            "replaces": described(["integer", "null"], "The number of the void invoice that it stands in for."),
            "changed_at": { "type": ["string", "null"], "format": "date-time", "description": "Time at which the invoice was paid, voided or written off." },
            "reason": described(["string", "null"], "Reason of the voiding."),
            "client_id": described("string", "The client."),
            "client": described("string", "Its name when this was issued."),
            "state": { "enum": ["open", "paid", "void", "uncollectible"], "description": "State of the invoice." },
            "period": object("Billed period, half-open.", json!({
                "start": time("Its first instant."),
                "end": time("The first instant after it."),
            })),
            "billable": described("integer", "Lookups in the period, free ones included."),
            "free": described("integer", "Those that the free allowance covers."),
            "charged": described("integer", "Those beyond it."),
            "price_book": price_book(),
            "lines": list("A line for each tier that is reached, and for its flat fee.", json!({ "oneOf": [
                tier(json!({
                    "from": described("integer", "The first of its lookups, counted over the paid ones of the period."),
                    "to": described("integer", "The last of them."),
                    "quantity": described("integer", "Number of lookups."),
                    "unit_price": decimal("Price of one lookup."),
                })),
                tier(json!({ "flat_fee": money("The flat fee of the tier.") })),
            ] })),
            "adjustments": list("Credits and corrections.", object("A credit or correction.", json!({
                "number": described("integer", "Its number within the client, from 1, without gaps."),
                "at": time("Time of the adjustment."),
                "kind": { "enum": ["credit", "correction"] },
                "amount": money("Amount, below zero for a credit."),
                "reason": described("string", "Why."),
            }))),
            "carried_forward": money("Amount carried forward from earlier invoices."),
            "total": money("The sum of lines, adjustments and what was carried forward."),
            "due": money("Amount to pay: the total, or zero if the total is below zero."),
            "first_seq": described("integer", "The number of the period's first row in the ledger."),
            "last_seq": described("integer", "The number of its last row."),
            "chain_head": digest("The head of the ledger's chain after that row."),
        }),
    )
}

fn price_book() -> Value {
    let mut book = object(
        "Price book of the lookups.",
        json!({
            "name": described("string", "Name of the price book."),
            "version": described("integer", "Version of the price book."),
            "currency": described("string", "Currency, by the three letters of ISO 4217."),
            "mode": { "enum": ["graduated", "volume"], "description": "Application of the tiers." },
            "digest": digest("The digest of the book, which the row that ends the period holds too."),
        }),
    );
    book["properties"]["is_example"] = described("boolean", "Only there on the built-in example.");
    book
}

fn tier(mut members: Value) -> Value {
    members["tier"] = described("integer", "The tier, counted from 1.");
    members["amount"] = money("Amount of the line.");
    object("Charge of one tier.", members)
}

fn money(description: &str) -> Value {
    object(
        description,
        json!({
            "minor": described("integer", "In minor units, for example cents."),
            "currency": described("string", "Of what, by the three letters of ISO 4217."),
            "formatted": decimal("In major units, with all decimal places of the currency."),
        }),
    )
}

/// Returns the schema of a closed object whose members are all required.
fn object(description: &str, members: Value) -> Value {
    let required: Vec<_> = members.as_object().into_iter().flat_map(|members| members.keys().cloned()).collect();
    let mut object = json!({
        "type": "object",
        "description": description,
        "additionalProperties": false,
        "required": required,
    });
    object["properties"] = members;
    object
}

fn list(description: &str, items: Value) -> Value {
    let mut list = described("array", description);
    list["items"] = items;
    list
}

fn described(types: impl serde::Serialize, description: &str) -> Value {
    json!({ "type": types, "description": description })
}

fn time(description: &str) -> Value {
    json!({ "type": "string", "format": "date-time", "description": description })
}

fn decimal(description: &str) -> Value {
    json!({ "type": "string", "pattern": "^-?[0-9]+(?:\\.[0-9]+)?$", "description": description })
}

fn digest(description: &str) -> Value {
    json!({ "type": "string", "pattern": "^[0-9a-f]{64}$", "description": description })
}
