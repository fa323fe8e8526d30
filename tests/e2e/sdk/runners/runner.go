// Runs the cases on standard input, one JSON object a line, with the module voight.example/voight.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"voight.example/voight"
)

type arguments struct {
	Receipt        *string                 `json:"receipt"`
	EOAAddress     string                  `json:"eoa_address"`
	ContextID      string                  `json:"context_id"`
	IdempotencyKey string                  `json:"idempotency_key"`
	FailOpen       bool                    `json:"fail_open"`
	EOAAddresses   []string                `json:"eoa_addresses"`
	Title          string                  `json:"title"`
	Units          int64                   `json:"units"`
	Saved          *voight.LedgerHead      `json:"saved"`
	Addresses      *string                 `json:"addresses"`
	Amount         string                  `json:"amount"`
	AddressColumn  string                  `json:"address_column"`
	AmountColumn   string                  `json:"amount_column"`
	NoAmounts      bool                    `json:"no_amounts"`
	Unit           voight.AmountUnit       `json:"unit"`
	DryRun         bool                    `json:"dry_run"`
	Include        []voight.IncludedStatus `json:"include"`
	TimeoutMs      int64                   `json:"timeout_ms"`
	ID             string                  `json:"id"`
	Format         string                  `json:"format"`
	Decimals       *int                    `json:"decimals"`
	Operation      string                  `json:"operation"`
	Path           map[string]string       `json:"path"`
	Query          map[string]string       `json:"query"`
	Body           any                     `json:"body"`
	Headers        map[string]string       `json:"headers"`
	Keys           []string                `json:"keys"`
	Now            int64                   `json:"now"`
	ToleranceMs    int64                   `json:"tolerance_ms"`
}

type step struct {
	Call      string
	Arguments arguments
	WaitMs    int64 `json:"wait_ms"`
	Beside    bool
}

type testCase struct {
	step
	Name   string
	Before []step
	Repeat int
	Client struct {
		BaseURL   string `json:"base_url"`
		APIKey    string `json:"api_key"`
		TimeoutMs int64  `json:"timeout_ms"`
	}
}

var operations = map[string]voight.Operation{
	"listInvoices": voight.OpListInvoices, "getInvoice": voight.OpGetInvoice, "createSession": voight.OpCreateSession,
	"exportUsage": voight.OpExportUsage, "listSnapshots": voight.OpListSnapshots, "deleteSnapshot": voight.OpDeleteSnapshot,
	"getUsage": voight.OpGetUsage, "lookUpAddress": voight.OpLookUpAddress, "lookUpBatch": voight.OpLookUpBatch,
	"lookUpAddressDetail": voight.OpLookUpAddressDetail, "registerContext": voight.OpRegisterContext,
	"changeContext": voight.OpChangeContext,
}

func receiptOf(receipt *voight.Receipt) any {
	if receipt == nil {
		return nil
	}
	return map[string]any{
		"context_id": receipt.ContextID, "eoa_address": receipt.EOAAddress, "origin": receipt.Origin,
		"origin_allowlisted": receipt.OriginAllowlisted, "owned": receipt.Owned, "test": receipt.Test,
		"issued_at": receipt.IssuedAt.Format(time.RFC3339), "expires_at": receipt.ExpiresAt.Format(time.RFC3339),
	}
}

// verifyWebhook verifies a webhook, which needs no client.
func verifyWebhook(a arguments) (any, error) {
	headers := http.Header{}
	for name, value := range a.Headers {
		headers.Set(name, value)
	}
	options := voight.WebhookOptions{Keys: a.Keys, Tolerance: time.Duration(a.ToleranceMs) * time.Millisecond}
	if a.Now != 0 {
		options.Now = time.Unix(a.Now, 0)
	}
	event, err := voight.VerifyWebhook([]byte(a.Body.(string)), headers, options)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"id": event.ID, "type": event.Type, "timestamp": event.Timestamp.Format(time.RFC3339Nano), "data": event.Data,
	}, nil
}

// prepare runs the calls before that of the case; their failures are part of the case.
func prepare(ctx context.Context, client *voight.Client, steps []step) {
	for _, one := range steps {
		one := one
		switch {
		case one.WaitMs > 0:
			time.Sleep(time.Duration(one.WaitMs) * time.Millisecond)
		case one.Beside:
			go func() { _, _ = run(ctx, client, one) }()
		default:
			_, _ = run(ctx, client, one)
		}
	}
}

func run(ctx context.Context, client *voight.Client, one step) (any, error) {
	a := one.Arguments
	subject := voight.Subject{EOAAddress: a.EOAAddress, ContextID: a.ContextID, IdempotencyKey: a.IdempotencyKey}
	file := voight.File{Format: a.Format}
	if a.Decimals != nil {
		file.Decimals = *a.Decimals
	}
	query := url.Values{}
	for name, value := range a.Query {
		query.Set(name, value)
	}
	parameters := voight.Parameters{Path: a.Path, Query: query, Body: a.Body, IdempotencyKey: a.IdempotencyKey}
	receipt := ""
	if a.Receipt != nil {
		receipt = *a.Receipt
	}
	switch one.Call {
	case "get_verdict":
		verdict, err := client.GetVerdict(ctx, voight.Claim{Receipt: receipt, Subject: subject, FailOpen: a.FailOpen})
		if err != nil {
			return nil, err
		}
		var reason any
		if verdict.Reason != nil {
			reason = verdict.Reason.Code
		}
		return map[string]any{
			"verdict": verdict.Verdict, "score": verdict.Score, "failed_open": verdict.FailedOpen, "reason": reason,
			"receipt": receiptOf(verdict.Receipt),
		}, nil
	case "look_up":
		found, err := client.LookUp(ctx, subject)
		if err != nil {
			return nil, err
		}
		return map[string]any{"verdict": found.Verdict, "score": found.Score}, nil
	case "look_up_detail":
		return client.LookUpDetail(ctx, subject)
	case "look_up_batch":
		return client.LookUpBatch(ctx, voight.BatchLookup{ContextID: a.ContextID, EOAAddresses: a.EOAAddresses}, a.IdempotencyKey)
	case "register_context":
		return client.RegisterContext(ctx, a.Title, a.IdempotencyKey)
	case "create_quote":
		return client.CreateQuote(ctx, voight.QuoteRequest{ContextID: a.ContextID, Units: a.Units})
	case "ledger_head":
		return client.LedgerHead(ctx, a.Saved)
	case "take_snapshot":
		options := voight.SnapshotOptions{
			ContextID: a.ContextID, IdempotencyKey: a.IdempotencyKey, Amount: a.Amount, Include: a.Include,
			Upload: voight.UploadOptions{
				AddressColumn: a.AddressColumn, AmountColumn: a.AmountColumn, NoAmounts: a.NoAmounts, Unit: a.Unit,
				Decimals: a.Decimals,
			},
			DryRun:  a.DryRun,
			Timeout: time.Duration(a.TimeoutMs) * time.Millisecond,
		}
		if a.Addresses != nil {
			options.Addresses = []byte(*a.Addresses)
		}
		return client.TakeSnapshot(ctx, options)
	case "finalize_snapshot":
		return client.FinalizeSnapshot(ctx, a.ID)
	case "download_snapshot":
		content, err := client.DownloadSnapshot(ctx, a.ID, file)
		return string(content), err
	case "snapshot_manifest":
		return client.SnapshotManifest(ctx, a.ID, file)
	case "verify_receipt":
		verified, err := client.VerifyReceipt(ctx, receipt, subject)
		return receiptOf(verified), err
	case "verify_webhook":
		return verifyWebhook(a)
	case "call":
		var data any
		err := client.Call(ctx, operations[a.Operation], parameters, &data)
		return data, err
	case "call_raw":
		content, err := client.CallRaw(ctx, operations[a.Operation], parameters)
		return string(content), err
	}
	panic(one.Call)
}

func outcome(one testCase) map[string]any {
	ctx := context.Background()
	client, err := voight.New(voight.Options{
		BaseURL: one.Client.BaseURL, APIKey: one.Client.APIKey, Timeout: time.Duration(one.Client.TimeoutMs) * time.Millisecond,
	})
	var ok any
	if err == nil {
		prepare(ctx, client, one.Before)
		for times := 0; err == nil && (times == 0 || times < one.Repeat); times++ {
			ok, err = run(ctx, client, one.step)
		}
	}
	shown := fmt.Sprintf("%v %+v %#v %s", client, client, client, client)
	if err == nil {
		return map[string]any{"ok": ok, "shown": shown}
	}
	var failure *voight.Error
	if !errors.As(err, &failure) {
		panic(err)
	}
	var retryAfter, remaining any
	if failure.RetryAfter > 0 {
		retryAfter = failure.RetryAfter
	}
	if failure.Remaining != nil {
		remaining = *failure.Remaining
	}
	return map[string]any{"shown": shown + fmt.Sprintf("%v %#v", failure, failure), "error": map[string]any{
		"code": failure.Code, "id": failure.ID, "status": failure.Status, "retryable": failure.Retryable, "outage": failure.Outage(),
		"request_id": failure.RequestID, "retry_after": retryAfter, "remaining": remaining, "message": failure.Message,
	}}
}

func main() {
	var running sync.WaitGroup
	var output sync.Mutex
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var one testCase
		if err := json.Unmarshal(line, &one); err != nil {
			panic(err)
		}
		running.Add(1)
		go func() {
			defer running.Done()
			began := time.Now()
			answer := outcome(one)
			answer["name"], answer["took_ms"] = one.Name, time.Since(began).Milliseconds()
			text, err := json.Marshal(answer)
			if err != nil {
				panic(err)
			}
			output.Lock()
			defer output.Unlock()
			fmt.Println(string(text))
		}()
	}
	running.Wait()
}
