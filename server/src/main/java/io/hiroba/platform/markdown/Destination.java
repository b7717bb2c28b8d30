package io.hiroba.platform.markdown;

import java.util.Optional;
import java.util.regex.Pattern;

/** The address of a link or an image, and which addresses are let through. */
final class Destination {

    /** Longer addresses are left out; no browser or proxy is sure to follow them either. */
    static final int MAX_LENGTH = 2000;

    // None of these characters may stand in a URL. The backslash matters most: browsers read it as a slash, so
    // "/\host" would leave the site.
    private static final String UNSAFE = "\"<>\\^`{|}'";
    private static final String CLEAN = "[^\\x00-\\x20\\x7f\"<>\\\\^`{|}']";
    private static final Pattern LINK = Pattern.compile("(?i:https?://|mailto:)" + CLEAN + "+");
    private static final Pattern PERSON = Pattern.compile("/users/[0-9A-F]{16}");
    private static final Pattern TAG = Pattern.compile("/tags/[A-Za-z0-9._*%-]{1,600}");
    private static final Pattern PASSAGE = Pattern.compile("/knowledge/sources/[0-9A-F]{16}\\?chunk=[0-9A-F]{16}");
    private static final Pattern IMAGE = Pattern.compile("(?i:https?://)" + CLEAN + "+|/(?!/)" + CLEAN + "*");

    private Destination() {}

    /** Whether a link may lead there: to the web, to a person here who was mentioned, to a tag, or to a passage that is cited. */
    static boolean link(String url) {
        return url.length() <= MAX_LENGTH
                && (LINK.matcher(url).matches()
                        || PERSON.matcher(url).matches()
                        || TAG.matcher(url).matches()
                        || PASSAGE.matcher(url).matches());
    }

    static boolean image(String url) {
        return url.length() <= MAX_LENGTH && IMAGE.matcher(url).matches();
    }

    /** The address that a link written with this destination leads to, if such a link is let through. */
    static Optional<String> linkFrom(String written) {
        return encoded(written)
                .filter(url -> url.length() <= MAX_LENGTH && LINK.matcher(url).matches());
    }

    /** The address that an image written with this destination is loaded from, if it is let through. */
    static Optional<String> imageFrom(String written) {
        return encoded(written).filter(Destination::image);
    }

    private static Optional<String> encoded(String written) {
        if (written.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        var url = new StringBuilder(written.length());
        var clean = Characters.clean(written);
        for (int i = 0; i < clean.length(); i++) {
            char c = clean.charAt(i);
            if (c <= ' ' || c == 0x7f || UNSAFE.indexOf(c) >= 0) {
                url.append("%%%02X".formatted((int) c));
            } else {
                url.append(c);
            }
        }
        return Optional.of(url.toString());
    }
}
