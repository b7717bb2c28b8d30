package io.hiroba.demo;

import java.time.Instant;

/** An act of a person of the demo at a point in time. People and posts are referred to by their names in the script. */
sealed interface DemoAct {

    Instant at();

    record Join(Instant at, DemoPerson person) implements DemoAct {}

    /** Fills in the profile. */
    record Introduce(Instant at, DemoPerson person) implements DemoAct {}

    record Follow(Instant at, String follower, String followee) implements DemoAct {}

    record Write(Instant at, DemoPost entry) implements DemoAct {}

    record Like(Instant at, String by, String post) implements DemoAct {}

    record Edit(Instant at, DemoPost entry, String content) implements DemoAct {}
}
