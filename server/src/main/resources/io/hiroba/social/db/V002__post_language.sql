-- Null where it is not known, as it is for all older posts.
ALTER TABLE social.posts ADD COLUMN lang VARCHAR(10);
