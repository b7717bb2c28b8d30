package io.hiroba.platform.http;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.lang.reflect.AnnotatedType;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;

/**
 * Derives required JSON fields from the nullness of record components: each must be present and not null unless it is
 * {@code @Nullable} or an {@code Optional}.
 */
final class RequiredComponents extends JacksonAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
        return isRequired(member) ? Boolean.TRUE : super.hasRequiredMarker(config, member);
    }

    @Override
    public JsonSetter.Value findSetterInfo(MapperConfig<?> config, Annotated annotated) {
        if (isRequired(annotated)) {
            return JsonSetter.Value.forValueNulls(Nulls.FAIL, Nulls.FAIL);
        }
        // A list that may be left out still holds no nulls.
        return annotated instanceof AnnotatedParameter
                ? JsonSetter.Value.forContentNulls(Nulls.FAIL)
                : super.findSetterInfo(config, annotated);
    }

    private static boolean isRequired(Annotated annotated) {
        if (!(annotated instanceof AnnotatedParameter parameter)) {
            return false;
        }
        var owner = parameter.getDeclaringClass();
        if (!owner.isRecord() || owner.getRecordComponents().length <= parameter.getIndex()) {
            return false;
        }
        var component = owner.getRecordComponents()[parameter.getIndex()];
        return component.getType() != Optional.class && !isNullable(component.getAnnotatedType());
    }

    private static boolean isNullable(AnnotatedType type) {
        return Arrays.stream(type.getAnnotations()).anyMatch(mark -> mark.annotationType() == Nullable.class);
    }
}
