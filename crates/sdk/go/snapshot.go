package voight

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	// Default timeout of the calls that wait for a job of a snapshot.
	snapshotTimeout = 600 * time.Second

	pollInterval = time.Second
)

// SnapshotOptions are the settings of a snapshot.
type SnapshotOptions struct {
	ContextID string

	// IdempotencyKey is required: a repeated call with it continues the same snapshot, and nothing is billed twice.
	IdempotencyKey string

	// Addresses is a file with a column address and perhaps amount; if nil, all addresses with a verdict in the context are taken.
	Addresses []byte

	// Upload says what the file does not say about itself.
	Upload UploadOptions

	// DryRun reads the file and returns the snapshot with its Summary. Nothing is looked up or billed; a call without it continues.
	DryRun bool

	// Amount is the reward of each address of a list without amounts, in base units of the token; none if empty.
	Amount string

	// Include lists the statuses that receive rewards beside human.
	Include []IncludedStatus

	// Timeout until the draft is complete; 600 seconds if 0.
	Timeout time.Duration
}

// UploadOptions are the settings of an upload of addresses.
type UploadOptions struct {
	// ContentType is text/csv if empty, application/x-ndjson, application/vnd.apache.parquet, or application/json for a Merkle
	// tree dump.
	ContentType string

	// AddressColumn is the column of the addresses, by name or number from 1 on, if its name is no known one.
	AddressColumn string

	// AmountColumn is the column of the amounts, by name or number from 1 on, if its name is no known one.
	AmountColumn string

	// NoAmounts reads no amounts from the file.
	NoAmounts bool

	// Unit of the amounts in the file, which a file with amounts needs: base or tokens.
	Unit AmountUnit

	// Decimals of the token; unknown if nil. Without Unit, the amounts in the file are tokens.
	Decimals *int
}

func (o UploadOptions) request(id string, addresses []byte, dryRun bool) request {
	query := url.Values{}
	for name, value := range map[string]string{
		"address_column": o.AddressColumn, "amount_column": o.AmountColumn, "unit": string(o.Unit),
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if o.NoAmounts {
		query.Set("no_amounts", "true")
	}
	if o.Decimals != nil {
		query.Set("decimals", strconv.Itoa(*o.Decimals))
	}
	if dryRun {
		query.Set("dry_run", "true")
	}
	contentType := o.ContentType
	if contentType == "" {
		contentType = "text/csv"
	}
	return request{operation: OpUploadAddresses, path: byID(id), query: query, body: addresses, contentType: contentType}
}

// TakeSnapshot creates a snapshot, uploads its addresses, and waits until the draft is complete. It returns the error
// snapshot_paused while a cap or a suspension stops the job.
func (c *Client) TakeSnapshot(ctx context.Context, options SnapshotOptions) (*Snapshot, error) {
	if !idempotencyKeyForm.MatchString(options.IdempotencyKey) {
		return nil, invalid("IdempotencyKey", "a key of your own for this snapshot, such as payout-2026-11")
	}
	if options.ContextID == "" {
		return nil, invalid("ContextID", "the id of a context that was registered")
	}
	asked := NewSnapshot{ContextID: options.ContextID, Source: SnapshotSourceSeen, Include: options.Include}
	if options.Addresses != nil {
		asked.Source = SnapshotSourceUpload
	}
	if options.Amount != "" {
		asked.Amount = &options.Amount
	}
	d := c.deadline(orDefault(options.Timeout), transferTimeout)
	r, err := jsonRequest(OpCreateSnapshot, asked, options.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	var snapshot Snapshot
	if err := c.data(ctx, r, d, &snapshot); err != nil {
		return nil, err
	}
	if options.Addresses != nil && snapshot.State == SnapshotStateUploading {
		upload := options.Upload.request(snapshot.ID, options.Addresses, options.DryRun)
		if err := c.data(ctx, upload, d, &snapshot); err != nil {
			return nil, err
		}
	}
	if options.DryRun {
		return &snapshot, nil
	}
	summary := snapshot.Summary
	draft, err := c.wait(ctx, &snapshot, d, SnapshotStateDraft, SnapshotStateFinal)
	if err != nil {
		return nil, err
	}
	draft.Summary = summary
	return draft, nil
}

// FinalizeSnapshot reads the verdicts of a draft again, and waits until the snapshot is final.
func (c *Client) FinalizeSnapshot(ctx context.Context, id string) (*Snapshot, error) {
	d := c.deadline(snapshotTimeout, attemptTimeout)
	r, err := Parameters{Path: byID(id)}.request(OpFinalizeSnapshot)
	if err != nil {
		return nil, err
	}
	var snapshot Snapshot
	if err := c.data(ctx, r, d, &snapshot); err != nil {
		return nil, err
	}
	return c.wait(ctx, &snapshot, d, SnapshotStateFinal)
}

func byID(id string) map[string]string { return map[string]string{"id": id} }

func orDefault(timeout time.Duration) time.Duration {
	if timeout == 0 {
		return snapshotTimeout
	}
	return timeout
}

// wait waits until a snapshot has one of these states.
func (c *Client) wait(ctx context.Context, snapshot *Snapshot, d deadline, states ...SnapshotState) (*Snapshot, error) {
	for {
		for _, state := range states {
			if snapshot.State == state {
				return snapshot, nil
			}
		}
		if snapshot.Pause != nil {
			message := fmt.Sprintf("The job of the snapshot %s is paused: %s.", snapshot.ID, *snapshot.Pause)
			return nil, &Error{Code: "snapshot_paused", Message: message, Retryable: true}
		}
		if time.Now().Add(pollInterval).After(d.end) {
			message := fmt.Sprintf("The snapshot %s is still %s. Repeat the call later.", snapshot.ID, snapshot.State)
			return nil, &Error{Code: "timeout", Message: message, Retryable: true}
		}
		if err := sleep(ctx, pollInterval); err != nil {
			return nil, err
		}
		next := Snapshot{}
		if err := c.data(ctx, request{operation: OpGetSnapshot, path: byID(snapshot.ID)}, d, &next); err != nil {
			return nil, err
		}
		snapshot = &next
	}
}

// File of a snapshot.
type File struct {
	// Format is csv, ndjson, parquet, merkle, airdrop or changes.
	Format string

	// Decimals of the token, for the format airdrop; not sent if 0.
	Decimals int
}

func (f File) request(operation Operation, id string) (request, error) {
	query := url.Values{"format": {f.Format}}
	if f.Decimals != 0 {
		query.Set("decimals", strconv.Itoa(f.Decimals))
	}
	return Parameters{Path: byID(id), Query: query}.request(operation)
}

// DownloadSnapshot returns a file of a snapshot, compared with the SHA-256 in its ETag.
func (c *Client) DownloadSnapshot(ctx context.Context, id string, file File) ([]byte, error) {
	r, err := file.request(OpGetSnapshotFile, id)
	if err != nil {
		return nil, err
	}
	answer, err := c.perform(ctx, r, c.deadline(transferTimeout, transferTimeout))
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256(answer.body)
	if strings.Trim(answer.headers.Get("etag"), `"`) != hex.EncodeToString(digest[:]) {
		return nil, badAnswer(answer, "sends a file whose SHA-256 is not its ETag")
	}
	return answer.body, nil
}

// SnapshotManifest returns the signed manifest of a file of a snapshot.
func (c *Client) SnapshotManifest(ctx context.Context, id string, file File) (*SignedManifest, error) {
	r, err := file.request(OpGetSnapshotManifest, id)
	if err != nil {
		return nil, err
	}
	var manifest SignedManifest
	return result(&manifest, c.data(ctx, r, c.deadline(c.timeout, attemptTimeout), &manifest))
}
