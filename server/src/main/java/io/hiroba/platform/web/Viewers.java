package io.hiroba.platform.web;

import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Reader;
import io.javalin.http.Context;
import java.util.Optional;

/** Identifies the reader of a page. */
public interface Viewers {

    /** The signed-in reader; nobody for credentials that are missing or wrong. */
    Optional<Viewer> of(Context ctx);

    /** In which language and time zone the page is read. */
    Reader reader(Context ctx);

    /** Keeps the language with the account of the reader, if somebody is signed in. */
    void keepLanguage(Context ctx, Language language);
}
