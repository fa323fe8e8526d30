package voight

import "fmt"

// Error is the error of a call that returns no result. Its text is advice for developers, and never has the API key.
type Error struct {
	// Code for programs: a code of the API in lower case, or one of the SDK.
	Code string

	Message string

	// ID of the cause in the error table; empty for an error of the SDK.
	ID string

	// Status is the HTTP status; 0 if there was no response.
	Status int

	// Retryable is true if the same call can succeed later.
	Retryable bool

	// RetryAfter is the number of seconds until a retry can succeed, as in the header Retry-After; 0 without the header.
	RetryAfter float64

	// RequestID is the x-request-id of the response, by which the operator finds it in the log.
	RequestID string

	// Remaining is the number of lookups that a cap still allows, with the code quota_exceeded of a batch or a quote.
	Remaining *int64
}

func (e *Error) Error() string {
	return fmt.Sprintf("voight: %s: %s", e.Code, e.Message)
}

// Outage reports whether the service could not answer. FailOpen covers these errors only.
func (e *Error) Outage() bool {
	return e.Code == "unreachable" || e.Status == 402 || e.Status == 429 || e.Status >= 500
}

// invalid returns the error of an option that is invalid.
func invalid(name, expected string) *Error {
	return &Error{Code: "invalid_argument", Message: fmt.Sprintf("%s must be %s.", name, expected)}
}
