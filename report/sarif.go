package report

import (
	"io"
	"net/url"
	"slices"
	"strings"
)

// The parts of a SARIF 2.1.0 log that are written
// (docs.oasis-open.org/sarif/sarif/v2.1.0). Lines alone are given: SARIF counts
// columns in characters, findings count them in bytes.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		Invocations       []sarifInvocation `json:"invocations"`
		AutomationDetails struct {
			ID string `json:"id"`
		} `json:"automationDetails"`
		Results []sarifResult `json:"results"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Version        string      `json:"version,omitempty"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string     `json:"id"`
		ShortDescription *sarifText `json:"shortDescription,omitempty"`
		FullDescription  *sarifText `json:"fullDescription,omitempty"`
		Help             *sarifText `json:"help,omitempty"`
	}
	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifInvocation struct {
		ExecutionSuccessful bool                `json:"executionSuccessful"`
		Notifications       []sarifNotification `json:"toolExecutionNotifications"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Related      []sarifLocation   `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Properties   map[string]string `json:"properties"`
	}
	sarifLocation struct {
		Message  *sarifText `json:"message,omitempty"`
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region *sarifRegion `json:"region,omitempty"`
		} `json:"physicalLocation"`
		Logical []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
		EndLine   int `json:"endLine,omitempty"`
	}
	sarifLogical struct {
		FullyQualifiedName string `json:"fullyQualifiedName"`
		Kind               string `json:"kind"`
	}
)

// WriteSARIF prints the report as a SARIF 2.1.0 log of one run. A finding in a commit message gets the path
// COMMIT_EDITMSG, because readers such as GitHub's code scanning refuse results without a file.
func WriteSARIF(w io.Writer, r *Report, rules []RuleInfo) error {
	index := sarifIndex(r, rules)
	run := sarifRun{
		Invocations: []sarifInvocation{sarifInvocationOf(r)},
		Results:     []sarifResult{},
	}
	run.AutomationDetails.ID = "acta/" + r.Range
	run.Tool.Driver = sarifDriver{
		Name: "acta", InformationURI: "https://github.com/acta-git/acta", Version: r.Acta, Rules: index,
	}
	prints := fingerprints(r.Findings)
	for i, f := range r.Findings {
		run.Results = append(run.Results, sarifResult{
			Related:      sarifSides(r.Tests.ChangeOf(f)),
			RuleID:       f.Rule,
			RuleIndex:    slices.IndexFunc(index, func(s sarifRule) bool { return s.ID == f.Rule }),
			Level:        f.Severity.String(), // SARIF's levels have the same names
			Message:      sarifText{Text: breakLinks(f.fullMessage())},
			Locations:    []sarifLocation{sarifPlace(f)},
			Fingerprints: map[string]string{"actaFinding/v1": prints[i]},
			Properties:   map[string]string{"commit": f.Commit, "unit": f.Unit, "item": breakLinks(f.Item)},
		})
	}
	return WriteIndented(w, sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

// sarifIndex describes all rules, and those with findings.
func sarifIndex(r *Report, rules []RuleInfo) []sarifRule {
	index := []sarifRule{}
	for _, info := range rules {
		index = append(index, sarifRule{
			ID: info.ID, ShortDescription: &sarifText{Text: info.Title}, FullDescription: &sarifText{Text: info.Title},
			Help: &sarifText{Text: info.Doc, Markdown: info.Doc},
		})
	}
	for _, f := range r.Findings {
		if !slices.ContainsFunc(index, func(s sarifRule) bool { return s.ID == f.Rule }) {
			index = append(index, sarifRule{ID: f.Rule})
		}
	}
	return index
}

func sarifInvocationOf(r *Report) sarifInvocation {
	run := sarifInvocation{ExecutionSuccessful: len(r.Undecided) == 0, Notifications: []sarifNotification{}}
	for _, why := range r.Undecided {
		run.Notifications = append(run.Notifications,
			sarifNotification{"error", sarifText{Text: breakLinks("could not decide: " + OneLine(why))}})
	}
	return run
}

func sarifPlace(f Finding) sarifLocation {
	var l sarifLocation
	l.Physical.Artifact.URI = (&url.URL{Path: f.Path}).String()
	if f.Path == "" {
		l.Physical.Artifact.URI = messageFile
		l.Logical = []sarifLogical{{FullyQualifiedName: f.messagePlace(), Kind: "commit message"}}
	}
	if f.Line > 0 {
		l.Physical.Region = &sarifRegion{StartLine: f.Line, EndLine: max(f.EndLine, f.Line)}
	}
	return l
}

// sarifSides are both sides of a change of tests and gates.
func sarifSides(c *TestChange) []sarifLocation {
	var sides []sarifLocation
	if c == nil {
		return nil
	}
	for _, s := range []struct {
		when string
		TestPlace
	}{{"before", c.Before}, {"after", c.After}} {
		if s.Path == "" {
			continue
		}
		l := sarifPlace(Finding{Path: s.Path, Line: s.Line, EndLine: s.EndLine})
		l.Message = &sarifText{Text: breakLinks(s.when + ": " + OneLine(s.Text))}
		sides = append(sides, l)
	}
	return sides
}

// breakLinks breaks up links: SARIF reads [text](address) in plain text as a link (§3.11.6), and commits must not add
// any.
func breakLinks(s string) string { return strings.ReplaceAll(s, "](", "] (") }
