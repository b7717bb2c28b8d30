package io.hiroba.knowledge.documents;

import org.jspecify.annotations.Nullable;

/** A fetched page. */
public final class FetchedPage {

    /**
     * The URLs of a page.
     *
     * @param requested the address that was asked for, in one spelling
     * @param url the address that answered, after redirects
     * @param name the last part of its path, by which its kind may be told
     */
    public record Found(String requested, String url, String name) {}

    private final Found found;
    private final @Nullable String mediaType;
    private final @Nullable String charset;
    private final byte[] content;
    private final String validators;

    /**
     * A page.
     *
     * @param mediaType what it says it is, without parameters
     * @param charset the encoding it says it is in
     * @param content not to be changed afterwards
     */
    public FetchedPage(Found found, @Nullable String mediaType, @Nullable String charset, byte[] content) {
        this(found, mediaType, charset, content, "");
    }

    /** @param validators what tells a later request that it is as it was; empty if nothing does */
    FetchedPage(Found found, @Nullable String mediaType, @Nullable String charset, byte[] content, String validators) {
        this.found = found;
        this.mediaType = mediaType;
        this.charset = charset;
        this.content = content;
        this.validators = validators;
    }

    public String validators() {
        return validators;
    }

    public Found found() {
        return found;
    }

    public @Nullable String mediaType() {
        return mediaType;
    }

    public @Nullable String charset() {
        return charset;
    }

    public byte[] content() {
        return content;
    }
}
