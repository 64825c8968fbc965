-- Reads what the days $1 to $2 add up to by repository.
SELECT p.name, r.day - date '1970-01-01', sum(r.score), sum(r.verified),
    sum(r.not_verified), sum(r.unclear), sum(r.contradictions)
FROM repository_day r JOIN repository p ON p.id = r.repository
WHERE r.day BETWEEN date '1970-01-01' + $1::integer AND date '1970-01-01' + $2::integer
GROUP BY p.name, r.day ORDER BY p.name, r.day
