SELECT id, up, at, by, actor, commit FROM vote WHERE day = date '1970-01-01' + $1::integer AND ($2 = '' OR actor = $2)
ORDER BY at, commit, actor, points, id
