-- What a step gives its agent to read besides the prompt; empty where it gives nothing.
ALTER TABLE agents.step_questions ADD COLUMN data TEXT NOT NULL DEFAULT '';
