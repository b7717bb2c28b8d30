-- Since when somebody is a member: who has been there longest takes over a project whose last owner deletes their account. Of members who were
-- there before, the older account counts as the older member.
ALTER TABLE records.members ADD COLUMN joined_at timestamptz NOT NULL DEFAULT now();
