-- C++, C#, .NET: a passage that has such a name is found by it from now on. Those that were stored before get the terms of such names
-- beside their words, without places; their next version has them as all others.
UPDATE knowledge.knowledge_chunks c
SET words = c.words || array_to_tsvector(named.terms)
FROM (SELECT t.source_id, t.id, array_agg(DISTINCT lower(m.found[1])) AS terms
      FROM knowledge.knowledge_chunks t
      JOIN knowledge.knowledge_sources s ON s.id = t.source_id
      CROSS JOIN LATERAL regexp_matches(
          concat_ws(E'\n', s.title, t.location ->> 'label', t.content),
          '((?<![a-z0-9_.+#])[a-z][a-z0-9]{0,15}(?:\+\+(?![a-z+])|#(?![a-z0-9#]))|(?<![a-z0-9._)\]])\.[a-z][a-z0-9]{1,15}(?![a-z0-9]))',
          'gi') AS m (found)
      -- Few passages have one: most signs begin a heading or part the name of a file.
      WHERE t.content ~ '[A-Za-z0-9](\+\+|#)|(^|[^A-Za-z0-9._)\]])\.[A-Za-z]'
         OR s.title ~ '[A-Za-z0-9](\+\+|#)|(^|[^A-Za-z0-9._)\]])\.[A-Za-z]'
         OR t.location ->> 'label' ~ '[A-Za-z0-9](\+\+|#)|(^|[^A-Za-z0-9._)\]])\.[A-Za-z]'
      GROUP BY t.source_id, t.id) AS named
WHERE c.source_id = named.source_id AND c.id = named.id;
