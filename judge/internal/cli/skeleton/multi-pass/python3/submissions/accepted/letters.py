word, text = input().split()
digits, letters = "0123456789", "abcdefghij"
if word == "encode":
    print(text.translate(str.maketrans(digits, letters)))
else:
    print(text.translate(str.maketrans(letters, digits)))
