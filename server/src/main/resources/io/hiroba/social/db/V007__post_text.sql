CREATE VIEW social.post_text AS
SELECT p.id, p.owned_by, d.content,
       ARRAY(SELECT t.name::text FROM social.post_tags t WHERE t.post_id = p.id ORDER BY t.name) AS tags
FROM social.posts p
JOIN social.post_details d ON d.post_id = p.id;
COMMENT ON VIEW social.post_text IS 'What posts say, as it was written, for other features to read';

CREATE VIEW social.post_tag AS
SELECT t.name::text AS name, t.post_id, t.owned_by FROM social.post_tags t;
COMMENT ON VIEW social.post_tag IS 'Which posts are filed under a tag, for other features to read';
