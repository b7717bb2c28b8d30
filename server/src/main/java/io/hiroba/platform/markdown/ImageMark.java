package io.hiroba.platform.markdown;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The attributes that an author may write in braces after an image: {@code {size=large}}, {@code {featured}} or both.
 */
record ImageMark(String classes, int length) {

    static final String FEATURED = "featured";

    private static final Pattern WRITTEN = Pattern.compile("\\{([a-z= ]{1,40})}");
    private static final Pattern SPACES = Pattern.compile(" +");
    private static final Pattern SIZE = Pattern.compile("size=(small|medium|large)");

    /** The mark at the beginning of the text that follows an image; braces with anything else in them are text. */
    static Optional<ImageMark> at(String text) {
        var written = WRITTEN.matcher(text);
        if (!written.lookingAt()) {
            return Optional.empty();
        }
        String size = null;
        boolean featured = false;
        for (String word : SPACES.splitAsStream(written.group(1).strip()).toList()) {
            var sized = SIZE.matcher(word);
            if (sized.matches()) {
                size = "size-" + sized.group(1);
            } else if (word.equals(FEATURED)) {
                featured = true;
            } else {
                return Optional.empty();
            }
        }
        List<String> classes = new ArrayList<>();
        if (featured) {
            classes.add(FEATURED);
        }
        if (size != null) {
            classes.add(size);
        }
        return Optional.of(new ImageMark(String.join(" ", classes), written.end()));
    }
}
