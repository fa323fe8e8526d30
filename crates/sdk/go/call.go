package voight

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	// Timeout of one attempt.
	attemptTimeout = 4 * time.Second

	// Timeout of one transfer of a file. An upload of a million addresses has some 45 MB.
	transferTimeout = 120 * time.Second

	// First pause between two attempts; each further pause is twice as long.
	firstPause = 250 * time.Millisecond

	older = "the service is older than this SDK. Upgrade the service."
)

// request is a request of an operation, for all attempts.
type request struct {
	operation      Operation
	path           map[string]string
	query          url.Values
	body           []byte
	contentType    string
	idempotencyKey string
	withoutKey     bool
}

// deadline is the timeout of a call, for all attempts together.
type deadline struct {
	end     time.Time
	attempt time.Duration
}

// reply is a response with its complete body.
type reply struct {
	status  int
	headers http.Header
	body    []byte
}

// perform sends a request, and repeats it after temporary errors until the deadline: under one idempotency key if the operation
// accepts one, and otherwise only if a repetition changes nothing, or if the request was certainly not applied.
func (c *Client) perform(ctx context.Context, r request, d deadline) (*reply, error) {
	if r.operation.retry == retryWithKey && r.idempotencyKey == "" {
		key, err := idempotencyKey("")
		if err != nil {
			return nil, err
		}
		r.idempotencyKey = key
	}
	pause := time.Duration(float64(firstPause) * (1 + rand.Float64()))
	for ; ; pause *= 2 {
		answer, cause := c.send(ctx, r, d)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		delay := pause
		var failure *Error
		isTemporary := true
		if cause != nil {
			message := fmt.Sprintf("The service does not respond at %s (%s). Is it running, and can this backend reach it?", c.baseURL, kindOf(cause))
			failure = &Error{Code: "unreachable", Message: message, Retryable: true}
		} else if failure = c.errorOf(r.operation, answer); failure == nil {
			return answer, nil
		} else {
			isTemporary = isRetryable(failure)
			delay = maximum(delay, time.Duration(failure.RetryAfter*float64(time.Second)))
		}
		if r.operation.retry == retryIfUnapplied && failure.Retryable && !isUnapplied(failure, cause) {
			return nil, uncertain(failure)
		}
		if !isTemporary || time.Now().Add(delay).After(d.end) {
			return nil, failure
		}
		if err := sleep(ctx, delay); err != nil {
			return nil, err
		}
	}
}

func maximum(one, other time.Duration) time.Duration {
	if one < other {
		return other
	}
	return one
}

func sleep(ctx context.Context, delay time.Duration) error {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// isUnapplied reports whether a request was certainly not applied: it was rejected, or no connection was established.
func isUnapplied(failure *Error, cause error) bool {
	var operation *net.OpError
	isUnconnected := errors.As(cause, &operation) && operation.Op == "dial"
	return isUnconnected || failure.Status == http.StatusRequestTimeout || failure.Status == http.StatusTooManyRequests
}

// uncertain returns the error of a change that is not repeated, because it may have been applied.
func uncertain(failure *Error) *Error {
	failure.Message += " The change may have been applied: read the state before you repeat the call."
	failure.Retryable = false
	return failure
}

// kindOf returns the kind of a failed attempt, without the URL, which may have an address.
func kindOf(cause error) string {
	if errors.Is(cause, context.DeadlineExceeded) {
		return "timeout"
	}
	var failed *url.Error
	if errors.As(cause, &failed) {
		cause = failed.Err
	}
	return cause.Error()
}

// send makes one attempt.
func (c *Client) send(ctx context.Context, r request, d deadline) (*reply, error) {
	end := time.Now().Add(d.attempt)
	if d.end.Before(end) {
		end = d.end
	}
	ctx, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	target := r.operation.path
	for name, value := range r.path {
		target = strings.ReplaceAll(target, "{"+name+"}", url.PathEscape(value))
	}
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	var body io.Reader
	if r.body != nil {
		body = bytes.NewReader(r.body)
	}
	message, err := http.NewRequestWithContext(ctx, r.operation.method, c.baseURL+target, body)
	if err != nil {
		return nil, err
	}
	if !r.withoutKey {
		message.Header.Set("x-api-key", c.apiKey)
	}
	if r.idempotencyKey != "" {
		message.Header.Set("idempotency-key", r.idempotencyKey)
	}
	if r.body != nil {
		message.Header.Set("content-type", r.contentType)
	}
	response, err := c.http.Do(message)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	return &reply{response.StatusCode, response.Header, content}, nil
}

// isRetryable reports whether a retry may succeed: by the error table, or by the status for a proxy and for a code that the table
// does not have.
func isRetryable(failure *Error) bool {
	for _, known := range apiErrors {
		if known.code == failure.Code && failure.ID != "" {
			return known.retryable
		}
	}
	return isTemporaryStatus(failure.Status)
}

func isTemporaryStatus(status int) bool {
	switch status {
	case 408, 429, 502, 503, 504:
		return true
	}
	return false
}

// badAnswer returns the error of a response that Voight never sends.
func badAnswer(answer *reply, action string) *Error {
	message := fmt.Sprintf("The server at BaseURL %s, which Voight never does. Is BaseURL the origin of the service?", action)
	return &Error{Code: "bad_answer", Message: message, Status: answer.status, RequestID: answer.headers.Get("x-request-id")}
}

// errorOf returns the error of a response; nil for a success.
func (c *Client) errorOf(operation Operation, answer *reply) *Error {
	status := answer.status
	if status == 200 {
		return nil
	}
	if status < 200 || status >= 300 && status < 400 {
		return badAnswer(answer, "redirects to another address")
	}
	failure := &Error{Status: status, RetryAfter: retryAfter(answer.headers), RequestID: answer.headers.Get("x-request-id")}
	var envelope struct {
		Error struct {
			ID, Code, Message string
			Remaining         *int64
		}
	}
	if !isJSON(answer) || json.Unmarshal(answer.body, &envelope) != nil || envelope.Error.Code == "" {
		if !isTemporaryStatus(status) && status < 500 {
			return badAnswer(answer, fmt.Sprintf("responds with %d without JSON", status))
		}
		failure.Code, failure.Retryable = "unavailable", true
		failure.Message = fmt.Sprintf("The service, or a proxy in front of it, responds with %d. Try again later.", status)
		return failure
	}
	failure.ID, failure.Code, failure.Message = envelope.Error.ID, strings.ToLower(envelope.Error.Code), envelope.Error.Message
	failure.Remaining = envelope.Error.Remaining
	if failure.Code == "not_found" && !strings.Contains(operation.path, "{") {
		failure.Code = "incompatible"
		failure.Message = fmt.Sprintf("The service at %s has no %s %s: %s", c.baseURL, operation.method, operation.path, older)
		return failure
	}
	failure.Retryable = isRetryable(failure) || status >= 500
	return failure
}

func isJSON(answer *reply) bool {
	return strings.HasPrefix(answer.headers.Get("content-type"), "application/json")
}

func retryAfter(headers http.Header) float64 {
	seconds, err := strconv.ParseFloat(headers.Get("retry-after"), 64)
	if err != nil || !(seconds > 0) || seconds > math.MaxInt32 {
		return 0
	}
	return seconds
}

// dataOf decodes data of a response after a check of its required members.
func dataOf(operation Operation, answer *reply, into any) error {
	var envelope struct{ Data json.RawMessage }
	var members map[string]json.RawMessage
	if !isJSON(answer) || json.Unmarshal(answer.body, &envelope) != nil {
		return badAnswer(answer, "sends another body")
	}
	data := envelope.Data
	if data == nil && len(operation.required) == 0 {
		// The key set has no envelope.
		data = answer.body
	}
	if json.Unmarshal(data, &members) != nil || members == nil {
		return badAnswer(answer, "sends another body")
	}
	for _, name := range operation.required {
		if _, found := members[name]; !found {
			message := fmt.Sprintf("The answer to %s %s has no `%s`: %s", operation.method, operation.path, name, older)
			return &Error{Code: "incompatible", Message: message, Status: answer.status, RequestID: answer.headers.Get("x-request-id")}
		}
	}
	if json.Unmarshal(data, into) != nil {
		return badAnswer(answer, "sends another body")
	}
	return nil
}
