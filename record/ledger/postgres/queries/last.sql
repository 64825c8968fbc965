-- Finds who made the last ACT, where $1 is empty.
SELECT '', actor FROM verdict WHERE landed AND $1 = '' ORDER BY at DESC, rank DESC, commit DESC, place DESC LIMIT 1
