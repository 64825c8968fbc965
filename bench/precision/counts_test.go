package main

import "testing"

// The vocabulary is read as its source has it, so that a change of its form cannot leave the counts without words.
func TestWordsOfTheVocabularyAreRead(t *testing.T) {
	found, err := words("../../evidence/lang/vocabulary.txt")
	if err != nil || len(found) < 20 {
		t.Fatalf("%d words: %v", len(found), err)
	}
}
