package voight

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"time"
)

// Kind of a verdict.
type Kind string

// Verdicts. Unknown: no evidence for either, the score is 0.
const (
	Human   Kind = "human"
	Bot     Kind = "bot"
	Unknown Kind = "unknown"
)

// Lookup is the answer to a lookup.
type Lookup struct {
	Verdict Kind

	// Score is the certainty of the verdict: high near 1, low near 0.
	Score float64
}

// Verdict on an address whose check was completed.
type Verdict struct {
	Lookup

	// Receipt that was redeemed; nil if the service was unavailable.
	Receipt *Receipt

	// FailedOpen is true if the service was unavailable and Claim.FailOpen let the visitor pass.
	FailedOpen bool

	// Reason why the service was unavailable.
	Reason *Error
}

// Receipt is the content of a receipt, which never includes findings.
type Receipt struct {
	ContextID string

	// EOAAddress is in lower case.
	EOAAddress string

	// Origin of the page that hosted the check.
	Origin string

	// OriginAllowlisted is true if that origin is registered for the context.
	OriginAllowlisted bool

	// Owned is true if wallet ownership was proven.
	Owned bool

	// Test is true for a receipt of the sandbox.
	Test bool

	IssuedAt, ExpiresAt time.Time
}

// Claim of a visitor.
type Claim struct {
	// Receipt is the text that the page sent, not validated.
	Receipt string

	// Subject has the claiming address, as your back end knows it. With its idempotency key a repeated call accepts the same receipt
	// again, and nothing is billed twice.
	Subject

	// FailOpen returns Unknown instead of an error while the service is unavailable, which lets bots through.
	FailOpen bool
}

const maxReceipt = 2048

var receiptForm = regexp.MustCompile(`^[0-9A-Za-z_-]+\.[0-9A-Za-z_-]+\.[0-9A-Za-z_-]+$`)

// Advice for each kind of invalid receipt.
var advice = map[string]string{
	"missing":  "The request has no receipt, so no check was completed for it. Reject it, or let the visitor complete a check.",
	"forged":   "This receipt is not signed by the service, or belongs to a context of another API key. Reject it.",
	"used":     "This receipt was redeemed before. Reject it, or let the visitor complete another check. To repeat the call for the same claim, pass the same IdempotencyKey.",
	"expired":  "This receipt is older than ten minutes. Let the visitor complete another check.",
	"mismatch": "This receipt is for another address or context than the claim. Reject it, or let the visitor complete a check with this wallet.",
}

func receiptError(reason string, status int) *Error {
	return &Error{Code: "receipt_" + reason, Message: advice[reason], Status: status}
}

type receiptHeader struct{ Alg, Kid, Typ string }

type receiptClaims struct {
	Context, Address, Origin string
	OriginAllowlisted        bool `json:"origin_allowlisted"`
	Owned, Test              bool
	Iat, Exp                 *int64
}

type decodedReceipt struct {
	header    receiptHeader
	claims    receiptClaims
	signed    string
	signature []byte
}

// decodeReceipt decodes a receipt without verifying it.
func decodeReceipt(token string) (*decodedReceipt, error) {
	if token == "" {
		return nil, receiptError("missing", 0)
	}
	if len(token) > maxReceipt || !receiptForm.MatchString(token) {
		return nil, receiptError("forged", 0)
	}
	parts := strings.Split(token, ".")
	decoded := decodedReceipt{signed: parts[0] + "." + parts[1]}
	var err error
	if decoded.signature, err = base64.RawURLEncoding.DecodeString(parts[2]); err != nil {
		return nil, receiptError("forged", 0)
	}
	if !decodePart(parts[0], &decoded.header) || !decodePart(parts[1], &decoded.claims) {
		return nil, receiptError("forged", 0)
	}
	return &decoded, nil
}

func decodePart(part string, into any) bool {
	text, err := base64.RawURLEncoding.DecodeString(part)
	return err == nil && len(text) > 0 && text[0] == '{' && json.Unmarshal(text, into) == nil
}

// requireSubject rejects a receipt for another subject than the claim's.
func requireSubject(contextID, address string, expected Subject) error {
	if contextID != expected.ContextID || strings.ToLower(address) != expected.EOAAddress {
		return receiptError("mismatch", 0)
	}
	return nil
}

// GetVerdict redeems a receipt, then looks up the verdict, which is billed.
func (c *Client) GetVerdict(ctx context.Context, claim Claim) (*Verdict, error) {
	d := c.deadline(c.timeout, attemptTimeout)
	subject, err := claim.Subject.parse()
	if err != nil {
		return nil, err
	}
	// A receipt that is recognisably invalid for this claim is not redeemed.
	decoded, err := decodeReceipt(claim.Receipt)
	if err != nil {
		return nil, err
	}
	if err := requireSubject(decoded.claims.Context, decoded.claims.Address, subject); err != nil {
		return nil, err
	}
	receipt, err := c.redeem(ctx, claim.Receipt, subject, d)
	var lookup *Lookup
	if err == nil {
		lookup, err = c.lookUp(ctx, subject, d)
	}
	var failure *Error
	if claim.FailOpen && errors.As(err, &failure) && failure.Outage() {
		return &Verdict{Lookup: Lookup{Verdict: Unknown}, Receipt: receipt, FailedOpen: true, Reason: failure}, nil
	}
	if err != nil {
		return nil, err
	}
	return &Verdict{Lookup: *lookup, Receipt: receipt}, nil
}

func (c *Client) redeem(ctx context.Context, token string, subject Subject, d deadline) (*Receipt, error) {
	r, err := jsonRequest(OpVerifyReceipt, VerifyReceipt{Receipt: token}, subject.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	answer, err := c.perform(ctx, r, d)
	if err != nil {
		return nil, err
	}
	var data VerifiedReceipt
	if err := dataOf(r.operation, answer, &data); err != nil {
		return nil, err
	}
	switch data.Status {
	case ReceiptStatusValid:
	case ReceiptStatusUsed, ReceiptStatusExpired, ReceiptStatusForged:
		return nil, receiptError(string(data.Status), answer.status)
	default:
		return nil, badAnswer(answer, "sends another body")
	}
	receipt, isComplete := data.content()
	if !isComplete {
		return nil, badAnswer(answer, "sends another body")
	}
	return receipt, requireSubject(receipt.ContextID, receipt.EOAAddress, subject)
}

// content returns the content of a valid receipt, and false if a part is missing.
func (v VerifiedReceipt) content() (*Receipt, bool) {
	if v.ContextID == nil || v.EOAAddress == nil || v.Origin == nil || v.OriginAllowlisted == nil || v.Owned == nil || v.Test == nil || v.IssuedAt == nil || v.ExpiresAt == nil {
		return nil, false
	}
	issued, err := time.Parse(time.RFC3339, *v.IssuedAt)
	expires, other := time.Parse(time.RFC3339, *v.ExpiresAt)
	return &Receipt{
		ContextID: *v.ContextID, EOAAddress: strings.ToLower(*v.EOAAddress), Origin: *v.Origin,
		OriginAllowlisted: *v.OriginAllowlisted, Owned: *v.Owned, Test: *v.Test, IssuedAt: issued, ExpiresAt: expires,
	}, err == nil && other == nil
}

func (c *Client) lookUp(ctx context.Context, subject Subject, d deadline) (*Lookup, error) {
	var data struct {
		IsBot      bool
		Confidence struct{ Score *float64 }
	}
	answer, err := c.perform(ctx, subject.lookup(OpLookUpAddress), d)
	if err != nil {
		return nil, err
	}
	if err := dataOf(OpLookUpAddress, answer, &data); err != nil {
		return nil, err
	}
	if data.Confidence.Score == nil {
		return nil, badAnswer(answer, "sends another body")
	}
	lookup := Lookup{Verdict: Human, Score: *data.Confidence.Score}
	if data.IsBot {
		lookup.Verdict = Bot
	} else if lookup.Score == 0 {
		lookup.Verdict = Unknown
	}
	return &lookup, nil
}
