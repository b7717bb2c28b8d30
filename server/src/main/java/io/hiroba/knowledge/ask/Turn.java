package io.hiroba.knowledge.ask;

/** One message of what a model is asked, as its API spells it. */
record Turn(String role, String content) {}
