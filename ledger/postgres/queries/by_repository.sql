-- Reads what the days $1 to $2 add up to by repository, and by actor too in the one that $3 names, '' for none.
SELECT p.name, CASE WHEN $3 = '' THEN '' ELSE r.actor END AS who, r.day - date '1970-01-01', sum(r.score), sum(r.verified),
    sum(r.not_verified), sum(r.unclear), sum(r.contradictions)
FROM repository_day r JOIN repository p ON p.id = r.repository
WHERE r.day BETWEEN date '1970-01-01' + $1::integer AND date '1970-01-01' + $2::integer AND ($3 = '' OR p.name = $3)
GROUP BY p.name, who, r.day ORDER BY p.name, who, r.day
