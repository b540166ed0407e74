word, text = input().split()
digits, letters = "0123456789", "abcdefghij"
if word == "encode":
    print(letters[int(text[0])])
else:
    print(digits[letters.index(text[0])])
