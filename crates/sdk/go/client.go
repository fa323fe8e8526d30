// Package voight asks a Voight service whether an Ethereum address is operated by a bot. It redeems receipts, looks up verdicts, and
// fails closed.
package voight

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// Version of the SDK.
const Version = "0.1.0"

// MaxBatch is the maximum number of addresses of a batch lookup.
const MaxBatch = 1000

const defaultTimeout = 10 * time.Second

var (
	addressForm        = regexp.MustCompile(`^0x[0-9a-f]{40}$`)
	apiKeyForm         = regexp.MustCompile(`^vgt_[0-9A-Za-z_]+$`)
	idempotencyKeyForm = regexp.MustCompile(`^[0-9A-Za-z_.:-]{1,255}$`)
)

// Options are the settings of a client.
type Options struct {
	// BaseURL is the origin of the service, as this back end reaches it.
	BaseURL string

	// APIKey is a secret key with the scope lookup:read.
	APIKey string

	// Timeout for all attempts of a call together; 10 seconds if 0.
	Timeout time.Duration

	// HTTPClient sends the requests if it is set. Redirects are not followed in any case.
	HTTPClient *http.Client
}

// Client of a Voight service. It may be used by several goroutines. Its methods return an *Error, or the error of the context.
type Client struct {
	baseURL, apiKey string
	timeout         time.Duration
	http            *http.Client
	keys            keyCache
}

// New returns a client.
func New(options Options) (*Client, error) {
	base, err := url.Parse(options.BaseURL)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Hostname() == "" {
		return nil, invalid("BaseURL", "the origin of the service, such as https://voight.example")
	}
	if !apiKeyForm.MatchString(options.APIKey) {
		return nil, invalid("APIKey", "an API key, vgt_live_… or vgt_test_…")
	}
	if options.Timeout < 0 {
		return nil, invalid("Timeout", "a duration above 0")
	}
	if options.Timeout == 0 {
		options.Timeout = defaultTimeout
	}
	client := http.Client{}
	if options.HTTPClient != nil {
		client = *options.HTTPClient
	}
	// A redirect would send the key to another host.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{baseURL: base.Scheme + "://" + base.Host, apiKey: options.APIKey, timeout: options.Timeout, http: &client}, nil
}

// Format writes the client without its API key, for every verb of package fmt.
func (c *Client) Format(state fmt.State, _ rune) {
	_, _ = io.WriteString(state, "voight.Client("+c.baseURL+")")
}

func (c *Client) deadline(timeout, attempt time.Duration) deadline {
	return deadline{time.Now().Add(timeout), attempt}
}

// data performs a request and decodes data of the response.
func (c *Client) data(ctx context.Context, r request, d deadline, into any) error {
	answer, err := c.perform(ctx, r, d)
	if err != nil {
		return err
	}
	return dataOf(r.operation, answer, into)
}

func jsonRequest(operation Operation, body any, idempotencyKey string) (request, error) {
	content, err := json.Marshal(body)
	if err != nil {
		return request{}, invalid("the body", "a value that has a form in JSON")
	}
	return request{operation: operation, body: content, contentType: "application/json", idempotencyKey: idempotencyKey}, nil
}

// Subject is an address in a context.
type Subject struct {
	EOAAddress string
	ContextID  string

	// IdempotencyKey identifies the call if it may be repeated; a new key if empty.
	IdempotencyKey string
}

func (s Subject) parse() (Subject, error) {
	s.EOAAddress = strings.ToLower(s.EOAAddress)
	if !addressForm.MatchString(s.EOAAddress) {
		return s, invalid("EOAAddress", "0x followed by 40 hexadecimal digits")
	}
	if s.ContextID == "" {
		return s, invalid("ContextID", "the id of a context that was registered")
	}
	key, err := idempotencyKey(s.IdempotencyKey)
	s.IdempotencyKey = key
	return s, err
}

// idempotencyKey returns the key, or a new one. A key derived from a receipt would let it be redeemed twice.
func idempotencyKey(given string) (string, error) {
	if given == "" {
		random := make([]byte, 16)
		_, err := rand.Read(random)
		return hex.EncodeToString(random), err
	}
	if !idempotencyKeyForm.MatchString(given) {
		return "", invalid("IdempotencyKey", "at most 255 letters, digits, '_', '.', ':' or '-'")
	}
	return given, nil
}

// LookUp looks up an address, which is billed.
func (c *Client) LookUp(ctx context.Context, subject Subject) (*Lookup, error) {
	subject, err := subject.parse()
	if err != nil {
		return nil, err
	}
	return c.lookUp(ctx, subject, c.deadline(c.timeout, attemptTimeout))
}

func (s Subject) lookup(operation Operation) request {
	query := url.Values{"eoa_address": {s.EOAAddress}, "context_id": {s.ContextID}}
	return request{operation: operation, query: query, idempotencyKey: s.IdempotencyKey}
}

// LookUpDetail looks up an address with the basis of the answer. It is billed as a plain lookup.
func (c *Client) LookUpDetail(ctx context.Context, subject Subject) (*LookupDetailResponse, error) {
	subject, err := subject.parse()
	if err != nil {
		return nil, err
	}
	var detail LookupDetailResponse
	err = c.data(ctx, subject.lookup(OpLookUpAddressDetail), c.deadline(c.timeout, attemptTimeout), &detail)
	return result(&detail, err)
}

func result[T any](value *T, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	return value, nil
}

// LookUpBatch looks up 1 to 1,000 addresses. Each distinct valid one is billed as a plain lookup.
func (c *Client) LookUpBatch(ctx context.Context, batch BatchLookup, key string) (*BatchLookupResponse, error) {
	if len(batch.EOAAddresses) == 0 || len(batch.EOAAddresses) > MaxBatch {
		return nil, invalid("EOAAddresses", fmt.Sprintf("a list of 1 to %d addresses", MaxBatch))
	}
	if batch.ContextID == "" {
		return nil, invalid("ContextID", "the id of a context that was registered")
	}
	var response BatchLookupResponse
	return result(&response, c.post(ctx, OpLookUpBatch, batch, key, &response))
}

// RegisterContext registers a context, and returns its id.
func (c *Client) RegisterContext(ctx context.Context, title, key string) (string, error) {
	if title == "" {
		return "", invalid("title", "the title of the context")
	}
	var registered RegisteredContext
	err := c.post(ctx, OpRegisterContext, RegisterContext{ContextTitle: title}, key, &registered)
	return registered.ContextID, err
}

// post sends JSON with an idempotency key, a new one if it is empty.
func (c *Client) post(ctx context.Context, operation Operation, body any, key string, into any) error {
	key, err := idempotencyKey(key)
	if err != nil {
		return err
	}
	r, err := jsonRequest(operation, body, key)
	if err != nil {
		return err
	}
	return c.data(ctx, r, c.deadline(c.timeout, attemptTimeout), into)
}

// CreateQuote estimates the cost of the next lookups. Nothing is recorded, billed or reserved.
func (c *Client) CreateQuote(ctx context.Context, asked QuoteRequest) (*Quote, error) {
	if asked.Units <= 0 {
		return nil, invalid("Units", "a whole number above 0")
	}
	if asked.ContextID == "" {
		return nil, invalid("ContextID", "the id of a context that was registered")
	}
	var quote Quote
	return result(&quote, c.Call(ctx, OpCreateQuote, Parameters{Body: asked}, &quote))
}

// LedgerHead returns the signed head of the ledger, to be saved by the caller. It returns the error ledger_mismatch if the ledger
// contradicts saved, a head of an earlier call, unless that is nil.
func (c *Client) LedgerHead(ctx context.Context, saved *LedgerHead) (*SignedLedgerHead, error) {
	var head SignedLedgerHead
	if err := c.Call(ctx, OpGetLedgerHead, Parameters{}, &head); err != nil || saved == nil {
		return result(&head, err)
	}
	var fault string
	if head.Seq < saved.Seq {
		fault = fmt.Sprintf("ends at row %d, before the saved row %d: rows were removed, or a backup was restored", head.Seq, saved.Seq)
	} else if head.Seq == saved.Seq && head.Head != saved.Head {
		fault = fmt.Sprintf("has another head at row %d than the saved one: it was rewritten, or is another ledger", head.Seq)
	} else {
		return &head, nil
	}
	return nil, &Error{Code: "ledger_mismatch", Message: "The ledger " + fault + ". Keep the saved head, and ask the operator.", Status: 200}
}

// Parameters of an operation that has no method of its own.
type Parameters struct {
	// Path has the parameters of the path.
	Path map[string]string

	Query url.Values

	// Body is sent as JSON if it is not nil.
	Body any

	// IdempotencyKey is sent if it is not empty.
	IdempotencyKey string
}

func (p Parameters) request(operation Operation) (request, error) {
	r := request{operation: operation, path: p.Path, query: p.Query, idempotencyKey: p.IdempotencyKey}
	if p.IdempotencyKey != "" && !idempotencyKeyForm.MatchString(p.IdempotencyKey) {
		return r, invalid("IdempotencyKey", "at most 255 letters, digits, '_', '.', ':' or '-'")
	}
	if strings.Count(operation.path, "{") != len(p.Path) {
		return r, invalid("Path", "the parameters of the path")
	}
	for name, value := range p.Path {
		if value == "" || !strings.Contains(operation.path, "{"+name+"}") {
			return r, invalid("Path", "the parameters of the path")
		}
	}
	if p.Body != nil {
		encoded, err := jsonRequest(operation, p.Body, "")
		r.body, r.contentType = encoded.body, encoded.contentType
		return r, err
	}
	return r, nil
}

// Call calls an operation of the API, and decodes data of the response into a pointer.
func (c *Client) Call(ctx context.Context, operation Operation, parameters Parameters, into any) error {
	r, err := parameters.request(operation)
	if err != nil {
		return err
	}
	return c.data(ctx, r, c.deadline(c.timeout, attemptTimeout), into)
}

// CallRaw calls an operation of the API, and returns the body of the response.
func (c *Client) CallRaw(ctx context.Context, operation Operation, parameters Parameters) ([]byte, error) {
	r, err := parameters.request(operation)
	if err != nil {
		return nil, err
	}
	answer, err := c.perform(ctx, r, c.deadline(c.timeout, transferTimeout))
	if err != nil {
		return nil, err
	}
	return answer.body, nil
}
