package io.hiroba.platform.config;

/**
 * A key with its value from a source.
 *
 * @param origin the source: {@code hiroba.yaml}, {@code HIROBA_HTTP_PORT}, {@code --http.port}, {@code default}
 */
record Setting(String path, String text, String origin) {

    static final String DEFAULT = "default";

    /** Where to look for a value that is refused; a default is in no place. */
    String from() {
        return origin.equals(DEFAULT) ? "" : " from " + origin;
    }
}
