SELECT id, at, (day - date '1970-01-01')::integer, by FROM vote WHERE actor = $1 AND commit = $2 AND commit <> ''
