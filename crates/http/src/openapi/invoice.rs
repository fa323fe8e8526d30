//! Schema of an invoice, written by hand. The type is shared with drafts and cannot express which members are always present.

use serde_json::{Value, json};

/// Returns the schema.
pub(crate) fn invoice_schema() -> Value {
    object(
        "An invoice.",
        json!({
            "id": described("string", "The client's id, a hyphen and the number."),
            "number": described("integer", "Its number within the client, from 1, without gaps."),
            "issued_at": time("When it was issued."),
            "replaces": described(["integer", "null"], "The number of the void invoice that it stands in for."),
            "changed_at": { "type": ["string", "null"], "format": "date-time", "description": "When it was paid, voided or given up." },
            "reason": described(["string", "null"], "Why it was voided."),
            "client_id": described("string", "The client."),
            "client": described("string", "Its name when this was issued."),
            "state": { "enum": ["open", "paid", "void", "uncollectible"], "description": "What has become of it." },
            "period": object("What is billed, half-open.", json!({
                "start": time("Its first instant."),
                "end": time("The first instant after it."),
            })),
            "billable": described("integer", "Lookups in the period, free ones included."),
            "free": described("integer", "Those that the free allowance covers."),
            "paid": described("integer", "Those beyond it."),
            "price_book": price_book(),
            "lines": list("A line for each tier that is reached, and for its flat fee.", json!({ "oneOf": [
                tier(json!({
                    "from": described("integer", "The first of its lookups, counted over the paid ones of the period."),
                    "to": described("integer", "The last of them."),
                    "quantity": described("integer", "How many they are."),
                    "unit_price": decimal("What each costs."),
                })),
                tier(json!({ "flat_fee": money("The flat fee of the tier.") })),
            ] })),
            "adjustments": list("Credits and corrections.", object("A credit or correction.", json!({
                "number": described("integer", "Its number within the client, from 1, without gaps."),
                "at": time("When it was made."),
                "kind": { "enum": ["credit", "correction"] },
                "amount": money("What it adds: below zero if the client is given something."),
                "reason": described("string", "Why."),
            }))),
            "carried": money("What was carried forward from before."),
            "total": money("The sum of lines, adjustments and what was carried forward."),
            "due": money("What is to be paid: the total, and nothing if that is below zero."),
            "first": described("integer", "The number of the period's first row in the ledger."),
            "last": described("integer", "The number of its last row."),
            "head": digest("The head of the ledger's chain after that row."),
        }),
    )
}

fn price_book() -> Value {
    let mut book = object(
        "What the lookups are priced by.",
        json!({
            "name": described("string", "What it is called."),
            "version": described("integer", "Which of the books of this name it is."),
            "currency": described("string", "What is paid in, by the three letters of ISO 4217."),
            "mode": { "enum": ["graduated", "volume"], "description": "How its tiers apply." },
            "digest": digest("The digest of the book, which the row that ends the period holds too."),
        }),
    );
    book["properties"]["example"] = described("boolean", "Only there on the built-in example.");
    book
}

fn tier(mut members: Value) -> Value {
    members["tier"] = described("integer", "The tier, counted from 1.");
    members["amount"] = money("What it comes to.");
    object("What a tier charges.", members)
}

fn money(description: &str) -> Value {
    object(
        description,
        json!({
            "minor": described("integer", "In minor units, for example cents."),
            "currency": described("string", "Of what, by the three letters of ISO 4217."),
            "display": decimal("In major units, with all decimal places of the currency."),
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
