package lang

import "testing"

func TestAHeaderIsReadWithoutWhatStandsInBrackets(t *testing.T) {
	for header, want := range map[string]string{
		"class A<T extends B<C>> extends D<E> ": "class A extends D ",
		"fun f(x: (A) -> B): C":                 "fun f(x: (A) -> B): C",
		"int f(Func<A, B> x) => y":              "int f(Func x) => y",
		"class A":                               "class A",
	} {
		if got := WithoutArguments(header); got != want {
			t.Errorf("%q: %q, want %q", header, got, want)
		}
	}
	if got := WithoutBrackets("class A[T <: B[C]] extends D[E]", '[', ']'); got != "class A extends D" {
		t.Errorf("%q", got)
	}
}

func TestATypeIsKnownByItsLastName(t *testing.T) {
	for written, want := range map[string]string{
		"Runnable": "Runnable", "a.b.Worker<String>": "Worker", "Map.Entry<K, V>": "Entry", " app.User? ": "User", "() -> Unit": "Unit", "": "", "(Int)": "",
	} {
		if got := TypeName(written); got != want {
			t.Errorf("%q: %q, want %q", written, got, want)
		}
	}
}

func TestACommentThatNamesAConditionDocumentsNoEmptyBody(t *testing.T) {
	for comment, want := range map[string]bool{
		"/** Does nothing. */": true, "/** This does nothing, as the store is read-only. */": true, "// no-op\n": true, "/** Does nothing by default. */": true,
		"/// <summary>Does nothing</summary>\n": true, "/* Overridden for performance reasons. */": true,
		"/** Logs in. Does nothing if the user is logged in. */": false, "/** Saves; a no-op when nothing changed. */": false, "/** Does it. */": false,
	} {
		if DocumentsNothing(comment) != want {
			t.Errorf("%s: %v, want %v", comment, !want, want)
		}
	}
}

func TestACommentMaySayThatThereIsNothingToDo(t *testing.T) {
	for body, want := range map[string]bool{
		"{ // no-op }": true, "{ // nothing to do }": true, "{ /* intentionally empty */ }": true, "{ // not used }": true, "{ // iOS only }": true,
		"{ // We don't need to do anything here. }": true, "{ // left blank }": true, "{ // ignored }": true,
		"{ }": false, "{ // saves the user }": false, "{ // opens the nozzle }": false, "{ // implementation goes here }": false, "{ // annotations }": false,
	} {
		if IsDeliberate(body) != want {
			t.Errorf("%s: %v, want %v", body, !want, want)
		}
	}
}
