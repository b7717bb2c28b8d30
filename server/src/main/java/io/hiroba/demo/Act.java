package io.hiroba.demo;

import java.time.Instant;

/** Something that somebody of the community did at some moment. People and posts go by their names in the script. */
sealed interface Act {

    Instant at();

    record Join(Instant at, Person person) implements Act {}

    /** Says who they are. */
    record Present(Instant at, Person person) implements Act {}

    record Follow(Instant at, String follower, String followee) implements Act {}

    record Write(Instant at, Entry entry) implements Act {}

    record Like(Instant at, String by, String post) implements Act {}

    record Correct(Instant at, Entry entry, String content) implements Act {}
}
