-- What else is changed of an attribute when its values are converted: {name, title, required, unique, default, …}.
ALTER TABLE records.retypes ADD COLUMN more JSONB;
