-- Finds who made the commits whose ids begin with $1.
SELECT DISTINCT ON (commit) commit, actor FROM verdict WHERE commit >= $1 AND commit < $1 || 'g'
    ORDER BY commit, place LIMIT 2
