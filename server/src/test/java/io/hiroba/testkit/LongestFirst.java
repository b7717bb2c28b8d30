package io.hiroba.testkit;

import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;
import org.junit.jupiter.api.Tag;

/** Begins with the classes that take longest, so that none of them is left alone at the end. */
public final class LongestFirst implements ClassOrderer {

    private static final List<String> LONGEST = List.of("slow", "browser");

    @Override
    public void orderClasses(ClassOrdererContext context) {
        context.getClassDescriptors().sort(Comparator.comparingInt(LongestFirst::rank));
    }

    private static int rank(ClassDescriptor descriptor) {
        var tags = descriptor.findRepeatableAnnotations(Tag.class).stream()
                .map(Tag::value)
                .toList();
        return LONGEST.stream()
                .filter(tags::contains)
                .mapToInt(LONGEST::indexOf)
                .min()
                .orElse(LONGEST.size());
    }
}
