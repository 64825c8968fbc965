ON CONFLICT (everyone, actor, day) DO UPDATE SET score = excluded.score, verified = excluded.verified,
    not_verified = excluded.not_verified,
    unclear = excluded.unclear, contradictions = excluded.contradictions
