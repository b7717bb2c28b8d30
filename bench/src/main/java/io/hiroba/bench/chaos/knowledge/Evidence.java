package io.hiroba.bench.chaos.knowledge;

/** All that is known afterwards: by those who asked, by the database, by the API and by the service. */
record Evidence(Memory memory, Stored stored, Shown shown, Calls calls) {}
