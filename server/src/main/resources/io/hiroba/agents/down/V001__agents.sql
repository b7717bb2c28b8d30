DROP TABLE agents.usage;
DROP TABLE agents.runs;
DROP TABLE agents.agents;
