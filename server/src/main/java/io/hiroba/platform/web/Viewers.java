package io.hiroba.platform.web;

import io.javalin.http.Context;
import java.util.Optional;

/** Identifies the reader of a page; nobody for credentials that are missing or wrong. */
@FunctionalInterface
public interface Viewers {

    Viewers NOBODY = ctx -> Optional.empty();

    Optional<Viewer> of(Context ctx);
}
