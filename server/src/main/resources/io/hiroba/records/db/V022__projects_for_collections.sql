-- Published to knowledge: projects and who their members are, so that a collection is shared with whoever is a member at that moment.
CREATE VIEW records.project_card AS
SELECT id, name FROM records.projects;

CREATE VIEW records.project_member AS
SELECT project_id, user_id FROM records.members;
