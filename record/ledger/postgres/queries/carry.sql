-- Keeps what goes over into days.
UPDATE standing s SET floor = c.floor, streak = c.streak
FROM unnest($1::boolean[], $2::text[], $3::integer[], $4::integer[], $5::integer[]) AS c (everyone, actor, day,
    floor, streak)
WHERE s.everyone = c.everyone AND s.actor = c.actor
    AND s.day = date '1970-01-01' + c.day
