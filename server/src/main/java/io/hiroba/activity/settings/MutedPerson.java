package io.hiroba.activity.settings;

import io.hiroba.social.Author;
import java.time.Instant;

/** Somebody whose acts are not told. */
public record MutedPerson(Author person, Instant since) {}
