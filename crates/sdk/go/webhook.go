package voight

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// DefaultWebhookTolerance is the usual maximum difference between the current time and the time of a request.
const DefaultWebhookTolerance = 5 * time.Minute

var timestampForm = regexp.MustCompile(`^[0-9]{1,12}$`)

var webhookAdvice = map[string]string{
	"missing":   "The request lacks a header of webhooks, so the service has not sent it. Reject it.",
	"forged":    "The request is not signed with one of the keys. Reject it. If the service has sent it, pass the current key of the endpoint, and the body as it was received.",
	"expired":   "The request is older than the tolerance. Reject it. If all requests are, set the clock of this server.",
	"early":     "The request is dated in the future. Reject it. If all requests are, set the clock of this server.",
	"malformed": "The request is signed, but its body is not an event of the service. Read the documentation of its version.",
}

func webhookError(reason string) *Error {
	return &Error{Code: "webhook_" + reason, Message: webhookAdvice[reason]}
}

// WebhookOptions are the keys of an endpoint, and the time.
type WebhookOptions struct {
	// Keys are those of the endpoint, whsec_… or whpk_…; several during a rotation.
	Keys []string

	// Now is the current time; the clock of the system by default.
	Now time.Time

	// Tolerance is the maximum difference between Now and the time of the request; DefaultWebhookTolerance by default.
	Tolerance time.Duration
}

// WebhookEvent is the event of a verified request.
type WebhookEvent struct {
	// ID is the same for all attempts of an event: ignore an ID that was processed before.
	ID string

	// Type is, for example, verdict.flagged.
	Type string

	// Timestamp is the time of the event.
	Timestamp time.Time

	Data json.RawMessage
}

type webhookKey struct {
	version string
	bytes   []byte
}

// verifies reports whether a signature is by this key. It compares in constant time.
func (k webhookKey) verifies(signature, message []byte) bool {
	if k.version == "v1a" {
		return ed25519.Verify(k.bytes, message, signature)
	}
	mac := hmac.New(sha256.New, k.bytes)
	mac.Write(message)
	return hmac.Equal(mac.Sum(nil), signature)
}

// VerifyWebhook verifies a request to the platform's endpoint, and returns its event. The body is the one that was received, before it
// is parsed. The service sends an event again until the endpoint answers with a status of 200 to 299, so one event may arrive several
// times.
func VerifyWebhook(body []byte, headers http.Header, options WebhookOptions) (*WebhookEvent, error) {
	keys, err := parseWebhookKeys(options.Keys)
	if err != nil {
		return nil, err
	}
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	signatures := headers.Get("webhook-signature")
	if id == "" || timestamp == "" || signatures == "" {
		return nil, webhookError("missing")
	}
	// A point in the ID would make the parts of the message ambiguous.
	if strings.Contains(id, ".") || !timestampForm.MatchString(timestamp) {
		return nil, webhookError("forged")
	}
	if err := options.verifyTime(timestamp); err != nil {
		return nil, err
	}
	message := append([]byte(id+"."+timestamp+"."), body...)
	if !isSignedBy(keys, signatures, message) {
		return nil, webhookError("forged")
	}
	var event struct {
		Type      *string
		Timestamp *time.Time
		Data      json.RawMessage
	}
	if json.Unmarshal(body, &event) != nil || event.Type == nil || event.Timestamp == nil || event.Data == nil {
		return nil, webhookError("malformed")
	}
	return &WebhookEvent{ID: id, Type: *event.Type, Timestamp: *event.Timestamp, Data: event.Data}, nil
}

// verifyTime rejects a request that differs from the current time by more than the tolerance.
func (o WebhookOptions) verifyTime(timestamp string) error {
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	now, tolerance := o.Now, o.Tolerance
	if now.IsZero() {
		now = time.Now()
	}
	if tolerance == 0 {
		tolerance = DefaultWebhookTolerance
	}
	sent := time.Unix(seconds, 0)
	if now.After(sent.Add(tolerance)) {
		return webhookError("expired")
	}
	if sent.After(now.Add(tolerance)) {
		return webhookError("early")
	}
	return nil
}

func parseWebhookKeys(texts []string) ([]webhookKey, error) {
	var keys []webhookKey
	for _, text := range texts {
		prefix, encoded, _ := strings.Cut(text, "_")
		bytes, err := base64.StdEncoding.DecodeString(encoded)
		switch {
		case err == nil && prefix == "whsec" && len(bytes) >= 24 && len(bytes) <= 64:
			keys = append(keys, webhookKey{"v1", bytes})
		case err == nil && prefix == "whpk" && len(bytes) == ed25519.PublicKeySize:
			keys = append(keys, webhookKey{"v1a", bytes})
		default:
			return nil, invalid("Keys", "keys of the endpoint, whsec_… or whpk_…")
		}
	}
	if len(keys) == 0 {
		return nil, invalid("Keys", "keys of the endpoint, whsec_… or whpk_…")
	}
	return keys, nil
}

// isSignedBy reports whether one of the signatures is by one of the keys. Other versions are skipped: a newer service may send them as
// well.
func isSignedBy(keys []webhookKey, signatures string, message []byte) bool {
	for _, entry := range strings.Split(signatures, " ") {
		version, encoded, _ := strings.Cut(entry, ",")
		signature, _ := base64.StdEncoding.DecodeString(encoded)
		for _, key := range keys {
			if key.version == version && key.verifies(signature, message) {
				return true
			}
		}
	}
	return false
}
