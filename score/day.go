package score

import "time"

// Day is a calendar day, counted from 1970-01-01, which is 0. Which day a moment
// belongs to depends on the time zone, which the policy names.
type Day int

const secondsOfDay = 24 * 60 * 60

// DayOf is the day of a moment in its own location.
func DayOf(t time.Time) Day {
	year, month, day := t.Date()
	return Day(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / secondsOfDay)
}

// ParseDay reads a day written as YYYY-MM-DD.
func ParseDay(s string) (Day, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return 0, err
	}
	return DayOf(t), nil
}

// String writes the day as YYYY-MM-DD.
func (d Day) String() string {
	return time.Unix(int64(d)*secondsOfDay, 0).UTC().Format(time.DateOnly)
}
